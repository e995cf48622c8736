import pg from 'pg';

let pool;

function query(env, text, values) {
	// Without `allowExitOnIdle`, open connections would keep a build from ending, and without a listener for errors, one that
	// the database closes would end the process.
	pool ??= new pg.Pool({ connectionString: env('DATABASE_URL'), allowExitOnIdle: true }).on(
		'error',
		() => {},
	);
	return pool.query(text, values).then(({ rows }) => rows);
}

/** A table `reviews` with a row for each review: see `schema.sql`. */
export default {
	name: 'postgres',
	async reviews(pid, { env }) {
		const reviews = await query(
			env,
			`SELECT id, author, rating, title, body, verified, created_at AS date FROM reviews
			WHERE product_id = $1 AND published ORDER BY created_at DESC`,
			[pid],
		);
		return { reviews };
	},
	// Numbers of the types numeric and bigint arrive as texts, so they are cast.
	ratings: (pids, { env }) =>
		query(
			env,
			`SELECT product_id AS pid, avg(rating)::float AS average, count(*)::int AS count FROM reviews
			WHERE product_id = ANY($1) AND published GROUP BY product_id`,
			[pids],
		),
};
