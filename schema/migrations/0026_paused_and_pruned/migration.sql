-- AlterTable
ALTER TABLE "inbound_trigger" ADD COLUMN     "paused_at" TIMESTAMPTZ(3),
ADD COLUMN     "paused_by" TEXT;

-- AlterTable
ALTER TABLE "journal" ADD COLUMN     "events_pruned_to" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "trigger_delivery" ADD COLUMN     "pruned_at" TIMESTAMPTZ(3),
ADD COLUMN     "repeats" INTEGER NOT NULL DEFAULT 0;

-- Settled deliveries that still say what they did.
CREATE INDEX "trigger_delivery_kept_idx" ON "trigger_delivery"("settled_at", "delivery_id") WHERE "pruned_at" IS NULL;

-- Events are taken out by this function alone, which the writer's user may call: those of a goal that
-- ended, as do its delegates, and none that is younger than a day.
CREATE FUNCTION "prune_events"(of_goal TEXT, keep_days INTEGER, most INTEGER) RETURNS INTEGER
    LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    up_to INTEGER;
    pruned INTEGER;
BEGIN
    IF keep_days < 1 THEN
        RAISE EXCEPTION 'events are kept for a day at least' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM 1 FROM "journal" j JOIN "goal" g ON g."goal_id" = j."goal_id"
        WHERE j."goal_id" = of_goal AND (g."status" = 'complete' OR g."archived_at" IS NOT NULL)
        FOR UPDATE OF j;
    IF NOT FOUND OR EXISTS (
        WITH RECURSIVE below AS (
            SELECT d."child_goal_id" FROM "delegate" d WHERE d."parent_goal_id" = of_goal
            UNION
            SELECT d."child_goal_id" FROM "delegate" d
                JOIN below b ON d."parent_goal_id" = b."child_goal_id"
        )
        SELECT 1 FROM below b JOIN "goal" g ON g."goal_id" = b."child_goal_id"
        WHERE g."status" <> 'complete' AND g."archived_at" IS NULL
    ) THEN
        RETURN 0;
    END IF;
    SELECT max(old."seq") INTO up_to FROM (
        SELECT e."seq" FROM "event" e
        WHERE e."goal_id" = of_goal AND e."at" < now() - make_interval(days => keep_days)
        ORDER BY e."seq" LIMIT most
    ) old;
    IF up_to IS NULL THEN
        RETURN 0;
    END IF;
    DELETE FROM "event" WHERE "goal_id" = of_goal AND "seq" <= up_to;
    GET DIAGNOSTICS pruned = ROW_COUNT;
    UPDATE "journal" SET "events_pruned_to" = up_to WHERE "goal_id" = of_goal;
    RETURN pruned;
END;
$$;

REVOKE EXECUTE ON FUNCTION "prune_events"(TEXT, INTEGER, INTEGER) FROM PUBLIC;

-- Nobody's temporary tables stand in for those of the record.
DO $$
BEGIN
    EXECUTE format(
        'ALTER FUNCTION "prune_events"(TEXT, INTEGER, INTEGER) SET search_path = %I, pg_temp',
        current_schema());
END;
$$;
