import { useState } from 'react';

export default function ProductGrid({ products }) {
	const [isSorted, setSorted] = useState(false);
	const average = ({ rating }) => rating?.average ?? 0;
	const shown = isSorted ? products.toSorted((a, b) => average(b) - average(a)) : products;
	return (
		<>
			<button type="button" onClick={() => setSorted(!isSorted)}>
				Best first
			</button>
			<ul>
				{shown.map(({ id, name, rating }) => (
					<li key={id}>{rating ? `${name} ★ ${rating.average} (${rating.count})` : name}</li>
				))}
			</ul>
		</>
	);
}
