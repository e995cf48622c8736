import { useState } from 'react';

export default function ProductCard({ name, price, children }) {
	const [count, setCount] = useState(0);
	return (
		<article>
			<h2>{name}</h2>
			{children}
			<button type="button" onClick={() => setCount(count + 1)}>
				{price} €, {count} in the basket
			</button>
		</article>
	);
}
