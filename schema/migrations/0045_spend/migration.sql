-- What a call was held for in spend limits until it ended.
ALTER TABLE "step" ADD COLUMN "reserved_cost_usd" DECIMAL(24,12) NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "spend_window" (
    "scope" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,
    "cost_usd" DECIMAL(24,12) NOT NULL DEFAULT 0,
    "tokens" BIGINT NOT NULL DEFAULT 0,
    "held_usd" DECIMAL(24,12) NOT NULL DEFAULT 0,
    "held_tokens" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "spend_window_pkey" PRIMARY KEY ("scope","subject","starts_at","ends_at")
);

-- CreateIndex
CREATE INDEX "spend_window_ends_at_idx" ON "spend_window"("ends_at");

-- A worktree belongs to the workspace that it was made from, a delegate's by way of its parent's.
CREATE FUNCTION "workspace_of_goal"(of_goal TEXT) RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT coalesce((
        WITH RECURSIVE own AS (
            SELECT w."name", w."origin" FROM "workspace" w WHERE w."name" = g."workspace_name"
            UNION SELECT w."name", w."origin" FROM own JOIN "workspace" w ON w."name" = own."origin"
        ) SELECT own."name" FROM own WHERE own."origin" IS NULL), g."workspace_name")
    FROM "goal" g WHERE g."goal_id" = of_goal
$$;

-- Windows are the sums of the calls that began in them, whoever writes those: a call that is sent is
-- held at the most that it may take, and is charged in its place when it ends. So they belong to the
-- owner, and the writer's user only reads them.
CREATE FUNCTION "count_spend"() RETURNS TRIGGER
    LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    who TEXT;
    place TEXT;
    is_new CONSTANT BOOLEAN := TG_OP = 'INSERT';
    is_ended CONSTANT BOOLEAN := NEW."state" <> 'sent';
BEGIN
    IF NOT EXISTS (SELECT 1 FROM "spend_window" w
        WHERE w."ends_at" > NEW."started_at" AND w."starts_at" <= NEW."started_at") THEN
        RETURN NULL;
    END IF;
    SELECT g."created_by" INTO who FROM "goal" g WHERE g."goal_id" = NEW."goal_id";
    place := "workspace_of_goal"(NEW."goal_id");
    -- In one order for everybody, so that nobody waits for who waits for them.
    PERFORM 1 FROM "spend_window" w
        WHERE w."ends_at" > NEW."started_at" AND w."starts_at" <= NEW."started_at"
            AND (w."scope", w."subject") IN
                (('service', ''), ('workspace', place), ('principal', who))
        ORDER BY w."starts_at", w."ends_at", w."scope", w."subject" FOR UPDATE;
    UPDATE "spend_window" w SET
        "cost_usd" = w."cost_usd" + CASE WHEN is_ended THEN greatest(NEW."cost_usd", 0) ELSE 0 END,
        "tokens" = w."tokens" + CASE WHEN is_ended THEN greatest(
            NEW."input_tokens" - NEW."cached_input_tokens" + NEW."output_tokens", 0) ELSE 0 END,
        "held_usd" = w."held_usd" + CASE WHEN is_ended THEN 0 ELSE NEW."reserved_cost_usd" END
            - CASE WHEN is_new THEN 0 ELSE OLD."reserved_cost_usd" END,
        "held_tokens" = w."held_tokens"
            + CASE WHEN is_ended THEN 0 ELSE NEW."estimated_input" + NEW."reserved_output" END
            - CASE WHEN is_new THEN 0 ELSE OLD."estimated_input" + OLD."reserved_output" END
        WHERE w."ends_at" > NEW."started_at" AND w."starts_at" <= NEW."started_at"
            AND (w."scope", w."subject") IN
                (('service', ''), ('workspace', place), ('principal', who));
    RETURN NULL;
END;
$$;

CREATE TRIGGER "step_begins_spend" AFTER INSERT ON "step"
    FOR EACH ROW EXECUTE FUNCTION "count_spend"();

CREATE TRIGGER "step_ends_spend" AFTER UPDATE OF "state" ON "step"
    FOR EACH ROW WHEN (OLD."state" = 'sent' AND NEW."state" <> 'sent')
    EXECUTE FUNCTION "count_spend"();

-- Opens a window with the sums of the calls that began in it, while no call begins or ends. It is
-- called outside of any transaction that touched calls.
CREATE FUNCTION "open_spend_window"(of_scope TEXT, of_subject TEXT, from_at TIMESTAMPTZ,
    to_at TIMESTAMPTZ) RETURNS VOID
    LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    LOCK TABLE "step" IN SHARE MODE;
    INSERT INTO "spend_window" ("scope", "subject", "starts_at", "ends_at", "cost_usd", "tokens",
        "held_usd", "held_tokens")
    SELECT of_scope, of_subject, from_at, to_at, coalesce(sum(c.cost), 0),
        coalesce(sum(c.tokens), 0), coalesce(sum(c.held), 0), coalesce(sum(c.held_tokens), 0)
    FROM (
        SELECT s."goal_id", sum(s."cost_usd") FILTER (WHERE s."state" <> 'sent') AS cost,
            sum(s."input_tokens" - s."cached_input_tokens" + s."output_tokens")
                FILTER (WHERE s."state" <> 'sent') AS tokens,
            sum(s."reserved_cost_usd") FILTER (WHERE s."state" = 'sent') AS held,
            sum(s."estimated_input" + s."reserved_output")
                FILTER (WHERE s."state" = 'sent') AS held_tokens
        FROM "step" s WHERE s."started_at" >= from_at AND s."started_at" < to_at
        GROUP BY s."goal_id"
    ) c JOIN "goal" g ON g."goal_id" = c."goal_id"
    WHERE CASE of_scope WHEN 'service' THEN TRUE
        WHEN 'workspace' THEN "workspace_of_goal"(g."goal_id") = of_subject
        ELSE g."created_by" = of_subject END
    ON CONFLICT DO NOTHING;
    -- A call that is lost is charged within hours; nothing asks for older windows.
    DELETE FROM "spend_window" w WHERE w."ends_at" < now() - interval '90 days';
END;
$$;

REVOKE EXECUTE ON FUNCTION "open_spend_window"(TEXT, TEXT, TIMESTAMPTZ, TIMESTAMPTZ) FROM PUBLIC;

-- Nobody's temporary tables stand in for those of the record.
DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION "workspace_of_goal"(TEXT) SET search_path = %I, pg_temp',
        current_schema());
    EXECUTE format('ALTER FUNCTION "count_spend"() SET search_path = %I, pg_temp',
        current_schema());
    EXECUTE format(
        'ALTER FUNCTION "open_spend_window"(TEXT, TEXT, TIMESTAMPTZ, TIMESTAMPTZ) SET search_path = %I, pg_temp',
        current_schema());
END;
$$;

-- What a call may still take lowers no window.
ALTER TABLE "step" ADD CONSTRAINT "step_reserves_something" CHECK ("reserved_cost_usd" >= 0) NOT VALID;
