-- Nobody's temporary tables stand in for those that a rule of the record looks at.
DO $$
DECLARE
    own RECORD;
BEGIN
    FOR own IN
        SELECT p.oid::regprocedure AS name FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
        WHERE p.pronamespace = current_schema()::regnamespace AND l.lanname = 'plpgsql'
            AND p.proconfig IS NULL
    LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', own.name, current_schema());
    END LOOP;
END;
$$;

-- What a call holds in spend limits is taken off when it ends, so it stays as it was sent: a call that
-- ends twice, or takes off more than it held, would give a limit back what was spent of it.
CREATE FUNCTION "refuse_step_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a call is held as it was sent, and ends once' USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "step_held_as_sent"
    BEFORE UPDATE ON "step"
    FOR EACH ROW WHEN (
        (OLD."goal_id", OLD."started_at", OLD."reserved_cost_usd", OLD."estimated_input", OLD."reserved_output")
            IS DISTINCT FROM
        (NEW."goal_id", NEW."started_at", NEW."reserved_cost_usd", NEW."estimated_input", NEW."reserved_output")
        OR (OLD."state" <> 'sent' AND NEW."state" = 'sent')
    )
    EXECUTE FUNCTION "refuse_step_change"();

-- Entries of the security log are numbered without gaps, and its end is one of them: a number far ahead
-- would leave none for the next entry, and whatever is logged would fail.
CREATE FUNCTION "refuse_number_gap"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW."number" = 0 AND TG_TABLE_NAME = 'security_head'
        OR NEW."number" = 1 AND TG_TABLE_NAME = 'security_log'
        OR EXISTS (SELECT 1 FROM "security_log" l WHERE l."number" = NEW."number"
            - CASE TG_TABLE_NAME WHEN 'security_log' THEN 1 ELSE 0 END) THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'there is no entry before % of the security log', NEW."number"
        USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "security_log_without_gaps"
    BEFORE INSERT ON "security_log"
    FOR EACH ROW WHEN (NEW."number" IS NOT NULL) EXECUTE FUNCTION "refuse_number_gap"();

CREATE TRIGGER "security_head_is_an_entry"
    BEFORE UPDATE ON "security_head"
    FOR EACH ROW WHEN (OLD."number" IS DISTINCT FROM NEW."number")
    EXECUTE FUNCTION "refuse_number_gap"();

-- A message is told once.
CREATE FUNCTION "refuse_second_taking"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the message % was taken by a turn', OLD."message_id" USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "inbox_taken_once"
    BEFORE UPDATE ON "inbox"
    FOR EACH ROW WHEN (
        OLD."taken_by_turn" IS NOT NULL AND OLD."taken_by_turn" IS DISTINCT FROM NEW."taken_by_turn"
    )
    EXECUTE FUNCTION "refuse_second_taking"();

DO $$
DECLARE
    name TEXT;
BEGIN
    FOREACH name IN ARRAY ARRAY['refuse_step_change', 'refuse_number_gap', 'refuse_second_taking'] LOOP
        EXECUTE format('ALTER FUNCTION %I() SET search_path = %I, pg_temp', name, current_schema());
    END LOOP;
END;
$$;

-- Lists read these for everybody: a count is never less than nothing, and a time has a day.
ALTER TABLE "journal" ADD CONSTRAINT "journal_counts_up" CHECK (
    "turn" >= 0 AND "turns" >= 0 AND "steps" >= 0 AND "input_tokens" >= 0 AND "cached_input_tokens" >= 0
    AND "output_tokens" >= 0 AND "cost_usd" >= 0 AND "active_ms" >= 0
) NOT VALID;
ALTER TABLE "goal" ADD CONSTRAINT "goal_activity_has_days" CHECK (
    coalesce(("activity"->>'since')::timestamptz >= '0001-01-01 00:00:00Z', TRUE)
    AND coalesce(("activity"->>'until')::timestamptz >= '0001-01-01 00:00:00Z', TRUE)
) NOT VALID;
