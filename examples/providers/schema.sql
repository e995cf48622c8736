CREATE TABLE reviews (
	id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
	product_id text NOT NULL,
	author text,
	rating smallint NOT NULL CHECK (rating BETWEEN 1 AND 5),
	title text,
	body text,
	verified boolean NOT NULL DEFAULT false,
	published boolean NOT NULL DEFAULT true,
	created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON reviews (product_id);
