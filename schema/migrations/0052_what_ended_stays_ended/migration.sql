-- A due time that was begun, left out or refused is not due again: a schedule that is paused or deleted
-- would begin what it left out.
CREATE FUNCTION "refuse_second_due"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the due time % of schedule % is settled', OLD."due_at", OLD."schedule_id"
        USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "schedule_run_settled_once"
    BEFORE UPDATE ON "schedule_run"
    FOR EACH ROW WHEN (
        OLD."state" NOT IN ('due', 'waiting')
            AND (NEW."state" IN ('due', 'waiting') OR NEW."settled_at" IS NULL)
    )
    EXECUTE FUNCTION "refuse_second_due"();

-- Each due time is decided once, and none from before the schedule was made: how far they were decided
-- only grows.
CREATE FUNCTION "refuse_former_cursor"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the due times of schedule % were decided up to %', OLD."schedule_id", OLD."cursor_at"
        USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "schedule_cursor_grows"
    BEFORE UPDATE ON "schedule"
    FOR EACH ROW WHEN (NEW."cursor_at" < OLD."cursor_at") EXECUTE FUNCTION "refuse_former_cursor"();

-- A rewind is carried out once.
CREATE FUNCTION "refuse_second_rewind"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the rewind % of % is over', OLD."number", OLD."goal_id"
        USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "rewind_ended_once"
    BEFORE UPDATE ON "rewind"
    FOR EACH ROW WHEN (
        OLD."state" <> 'begun' AND (NEW."state" = 'begun' OR NEW."ended_at" IS NULL)
    )
    EXECUTE FUNCTION "refuse_second_rewind"();

DO $$
DECLARE
    name TEXT;
BEGIN
    FOREACH name IN ARRAY ARRAY['refuse_second_due', 'refuse_former_cursor', 'refuse_second_rewind'] LOOP
        EXECUTE format('ALTER FUNCTION %I() SET search_path = %I, pg_temp', name, current_schema());
    END LOOP;
END;
$$;
