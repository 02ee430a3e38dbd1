-- How others make the original tree of a proof again.
ALTER TABLE proof_finding ADD COLUMN base JSONB;
