import { code, page, table, values } from './markdown.ts';
import { constant, docOf, parse, propertiesOf } from './read-declarations.ts';

export function labelsPage(): string {
	const { value, node } = constant(parse('integration/src/options/labels.ts'), 'labelsSchema');
	const rows = propertiesOf(value).map((property) => {
		const doc = docOf(property);
		return [code(property.name.getText()), values(doc.default ?? ''), doc.text];
	});
	return page(
		{ title: 'Labels', description: 'Every text that the components write, with its default.', order: 3 },
		[
			docOf(node).text,
			'[Languages](/components/style/#change-words) shows how to set them. If a label has several forms, you can pass a string or one form for each plural category of the language. The defaults below are for an English page.',
			table(['Label', 'Default', 'Where'], rows),
		],
	);
}
