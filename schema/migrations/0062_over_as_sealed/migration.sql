-- When a row was sealed, as the database says. What stood there before counts from now on.
ALTER TABLE "row_seal" ADD COLUMN     "sealed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- A time has a day.
ALTER TABLE "row_seal" ADD CONSTRAINT "row_seal_readable"
    CHECK ("sealed_at" >= '0001-01-01 00:00:00Z' AND "sealed_at" < '10000-01-01 00:00:00Z');

-- Since when a goal is what it is: as its row says, and no longer than since its state was sealed. A
-- seal that somebody adds makes it younger at most.
CREATE FUNCTION "goal_stands_since"(of_goal TEXT) RETURNS TIMESTAMPTZ LANGUAGE sql STABLE AS $$
    SELECT greatest(g."updated_at", g."archived_at", (SELECT max(s."sealed_at")
        FROM "row_seal" s WHERE s."kind" = 'state' AND s."subject" = of_goal))
    FROM "goal" g WHERE g."goal_id" = of_goal
$$;

-- Each place that keeps heads has taken one of this size or a larger one, which covers it.
CREATE FUNCTION "is_head_kept"(of_size BIGINT) RETURNS BOOLEAN LANGUAGE sql STABLE AS $$
    SELECT coalesce(bool_and(EXISTS (SELECT 1 FROM "anchor_delivery" d
        WHERE d."target" = p."target" AND d."delivered_at" IS NOT NULL AND d."size" >= of_size)), false)
    FROM (
        SELECT jsonb_array_elements_text(current_setting('goalkeeper.anchors', true)::jsonb) AS "target"
        WHERE current_setting('goalkeeper.anchors', true) LIKE '[%'
        UNION
        SELECT d."target" FROM "anchor_delivery" d
        WHERE current_setting('goalkeeper.anchors', true) LIKE '[%' IS NOT TRUE
    ) p
$$;

-- Why a goal can't be removed yet; null = it can. It is at rest for good, old enough, and nothing that
-- goes on, on disk or in the record, leads to it. Each place that keeps heads (`goalkeeper.anchors`, a
-- list of names; else each that one was made for) has taken one that covers its last. Anchors that were
-- turned off are not waited for.
CREATE OR REPLACE FUNCTION "why_goal_stays"(of_goal TEXT, keep_days INTEGER) RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN g."status" <> 'complete' AND g."archived_at" IS NULL THEN 'it is not over'
        WHEN "goal_stands_since"(of_goal) >= now() - make_interval(days => keep_days)
            THEN 'it is not old enough'
        WHEN EXISTS (SELECT 1 FROM "delegate" d JOIN "goal" p ON p."goal_id" = d."parent_goal_id"
            WHERE d."child_goal_id" = of_goal)
            THEN 'the goal that handed it on is still there'
        WHEN EXISTS (
            WITH RECURSIVE below AS (
                SELECT d."child_goal_id" FROM "delegate" d WHERE d."parent_goal_id" = of_goal
                UNION
                SELECT d."child_goal_id" FROM "delegate" d
                    JOIN below b ON d."parent_goal_id" = b."child_goal_id"
            )
            SELECT 1 FROM below b JOIN "goal" c ON c."goal_id" = b."child_goal_id"
            WHERE c."status" <> 'complete' AND c."archived_at" IS NULL
        ) THEN 'a delegate of it is not over'
        WHEN EXISTS (SELECT 1 FROM "goal" n
            WHERE n."thread_id" = g."thread_id" AND n."continues" = of_goal
                AND n."status" <> 'complete' AND n."archived_at" IS NULL)
            OR EXISTS (SELECT 1 FROM "goal" n WHERE n."planned_by" = of_goal
                AND n."status" <> 'complete' AND n."archived_at" IS NULL)
            THEN 'a goal that goes on from it is not over'
        WHEN EXISTS (SELECT 1 FROM "following_goals" f WHERE f."goal_id" = of_goal
            AND f."begun_goal_id" IS NULL AND f."refused" IS NULL
            AND g."status" = 'complete' AND g."archived_at" IS NULL)
            THEN 'the goal right after it is not begun'
        WHEN EXISTS (SELECT 1 FROM "workspace" w WHERE w."name" = 'worktree-' || of_goal
            AND w."path" <> '') THEN 'its worktree is still there: clear the goal'
        WHEN EXISTS (SELECT 1 FROM "workspace" w WHERE w."lease_goal_id" = of_goal)
            OR EXISTS (SELECT 1 FROM "workspace_queue" q WHERE q."goal_id" = of_goal)
            THEN 'it has a workspace, or waits for one'
        WHEN EXISTS (SELECT 1 FROM "step" s WHERE s."goal_id" = of_goal AND s."state" = 'sent')
            THEN 'a model call of it is not charged'
        WHEN EXISTS (SELECT 1 FROM "notification" n
            WHERE n."goal_id" = of_goal AND NOT n."is_addressed")
            OR EXISTS (SELECT 1 FROM "delivery" d
                WHERE d."goal_id" = of_goal AND d."state" = 'pending')
            THEN 'a notification of it is on its way'
        WHEN EXISTS (SELECT 1 FROM "trigger_delivery" t
            WHERE t."goal_id" = of_goal AND t."state" = 'pending')
            THEN 'a delivery of a trigger is for it'
        WHEN EXISTS (SELECT 1 FROM "schedule" s
            WHERE s."deleted_at" IS NULL AND s."action" #>> '{wake,goalId}' = of_goal)
            THEN 'a schedule wakes it'
        WHEN current_setting('goalkeeper.anchors', true) IS DISTINCT FROM 'off'
            AND EXISTS (SELECT 1 FROM "anchor") AND NOT EXISTS (
            SELECT 1 FROM (SELECT a."number", a."seq", a."head", a."seals", a."seal_head"
                FROM "anchor_leaf" a
                WHERE a."subject" = of_goal ORDER BY a."number" DESC LIMIT 1) a
            WHERE (a."seq", a."head", a."seals")
                = (j."ledger_seq", j."ledger_head", j."seals")
                AND a."seal_head" IS NOT DISTINCT FROM j."seal_head"
                AND "is_head_kept"(a."number"))
            THEN 'its last head is not anchored'
    END
    FROM "goal" g JOIN "journal" j ON j."goal_id" = g."goal_id" WHERE g."goal_id" = of_goal
$$;

-- Nobody's temporary tables stand in for those of the record.
DO $$
DECLARE
    own TEXT;
BEGIN
    FOREACH own IN ARRAY ARRAY['goal_stands_since(TEXT)', 'is_head_kept(BIGINT)',
        'why_goal_stays(TEXT, INTEGER)'] LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', own, current_schema());
    END LOOP;
END;
$$;
