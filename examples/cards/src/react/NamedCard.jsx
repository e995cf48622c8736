export default function NamedCard({ name, rating }) {
	return (
		<article>
			<h2>{name}</h2>
			{rating}
		</article>
	);
}
