-- A proof begins with the original tree: texts that checks rested on are no longer kept.
DROP TABLE "basis_text";

-- What a gate found: changes that the proof needs, or the proof.
ALTER TABLE "basis_change" RENAME TO "proof_finding";
ALTER TABLE "proof_finding" RENAME CONSTRAINT "basis_change_pkey" TO "proof_finding_pkey";
ALTER TABLE "proof_finding" ADD COLUMN "proof" JSONB;

-- What was a script, configuration or test is a change beyond the scope.
CREATE FUNCTION pg_temp.of_scope(changes JSONB) RETURNS JSONB LANGUAGE sql AS $$
  SELECT coalesce(jsonb_agg(
    CASE WHEN item->>'kind' IN ('test_gone', 'test_skipped') THEN item
    ELSE item || '{"kind": "beyond_scope"}' END ORDER BY place), '[]')
  FROM jsonb_array_elements(changes) WITH ORDINALITY AS one(item, place)
$$;
UPDATE "proof_finding" SET "changes" = pg_temp.of_scope("changes");
UPDATE "approval" SET "data" = jsonb_set("data", '{diffs}', pg_temp.of_scope("data"->'diffs'))
WHERE jsonb_typeof("data"->'diffs') = 'array';

-- Criteria no longer say what they rest on.
UPDATE "goal" SET "criteria" = (
  SELECT jsonb_agg(CASE WHEN item->'spec' ? 'basis' THEN item #- '{spec,basis}' ELSE item END ORDER BY place)
  FROM jsonb_array_elements("criteria") WITH ORDINALITY AS one(item, place)
)
WHERE jsonb_path_exists("criteria", '$[*].spec.basis');
UPDATE "approval" SET "data" = "data" #- '{criterion,basis}' WHERE "data"->'criterion' ? 'basis';
