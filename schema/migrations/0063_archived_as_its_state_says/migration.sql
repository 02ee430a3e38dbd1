-- Lists leave out what is archived. A goal is that exactly where its state, which is sealed, says that it
-- was cleared: the column alone takes no goal out of them, and brings none back.
CREATE FUNCTION "refuse_unled_archiving"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the goal % is archived where its state says so', OLD."goal_id"
        USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "goal_archived_as_its_state_says"
    BEFORE UPDATE ON "goal"
    FOR EACH ROW WHEN (
        OLD."archived_at" IS DISTINCT FROM NEW."archived_at" AND (NEW."archived_at" IS NOT NULL)
            IS DISTINCT FROM coalesce(NEW."snapshot"#>'{context,isArchived}' = 'true'::jsonb, FALSE)
    )
    EXECUTE FUNCTION "refuse_unled_archiving"();

DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION refuse_unled_archiving() SET search_path = %I, pg_temp', current_schema());
END;
$$;
