-- Why a goal can't be removed yet; null = it can. It is at rest for good, old enough, and nothing that
-- goes on, on disk or in the record, leads to it. Anchors that were turned off (`goalkeeper.anchors`) are
-- not waited for.
CREATE OR REPLACE FUNCTION "why_goal_stays"(of_goal TEXT, keep_days INTEGER) RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN g."status" <> 'complete' AND g."archived_at" IS NULL THEN 'it is not over'
        WHEN greatest(g."updated_at", g."archived_at") >= now() - make_interval(days => keep_days)
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
            SELECT 1 FROM (SELECT a."seq", a."head", a."seals", a."seal_head" FROM "anchor_leaf" a
                WHERE a."subject" = of_goal ORDER BY a."number" DESC LIMIT 1) a
            WHERE (a."seq", a."head", a."seals")
                = (j."ledger_seq", j."ledger_head", j."seals")
                AND a."seal_head" IS NOT DISTINCT FROM j."seal_head")
            THEN 'its last head is not anchored'
    END
    FROM "goal" g JOIN "journal" j ON j."goal_id" = g."goal_id" WHERE g."goal_id" = of_goal
$$;

-- Nobody's temporary tables stand in for those of the record.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION why_goal_stays(TEXT, INTEGER) SET search_path = %I, pg_temp',
        current_schema());
END;
$$;
