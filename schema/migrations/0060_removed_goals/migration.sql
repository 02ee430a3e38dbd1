-- CreateTable
CREATE TABLE "kept_spend" (
    "goal_id" TEXT NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "model" TEXT NOT NULL,
    "cost_usd" DECIMAL(24,12) NOT NULL,
    "estimated_usd" DECIMAL(24,12) NOT NULL,
    "calls" INTEGER NOT NULL,
    "tokens" BIGINT NOT NULL,

    CONSTRAINT "kept_spend_pkey" PRIMARY KEY ("goal_id","started_at","model")
);

-- CreateTable
CREATE TABLE "removed_goal" (
    "goal_id" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "workspace" TEXT NOT NULL,
    "removed_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "removed_goal_pkey" PRIMARY KEY ("goal_id")
);

-- CreateIndex
CREATE INDEX "kept_spend_started_at_idx" ON "kept_spend"("started_at");

-- CreateIndex
CREATE INDEX "request_goal_id_idx" ON "request"("goal_id");

-- A time has a day, and a number counts exactly.
ALTER TABLE "removed_goal" ADD CONSTRAINT "removed_goal_readable"
    CHECK ("removed_at" >= '0001-01-01 00:00:00Z' AND "removed_at" < '10000-01-01 00:00:00Z');
ALTER TABLE "kept_spend" ADD CONSTRAINT "kept_spend_readable" CHECK (
    "started_at" >= '0001-01-01 00:00:00Z' AND "started_at" < '10000-01-01 00:00:00Z'
    AND "cost_usd" <> 'NaN' AND "estimated_usd" <> 'NaN'
    AND "tokens" BETWEEN -9007199254740991 AND 9007199254740991
);

-- What is only added to may go with its whole goal, and no other way.
CREATE FUNCTION "refuse_kept_deletion"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM "removed_goal" r WHERE r."goal_id" = OLD."goal_id") THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;

DROP TRIGGER "ledger_append_only" ON "ledger";
CREATE TRIGGER "ledger_append_only"
    BEFORE UPDATE OR TRUNCATE ON "ledger"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_ledger_change"();
CREATE TRIGGER "ledger_kept"
    BEFORE DELETE ON "ledger"
    FOR EACH ROW EXECUTE FUNCTION "refuse_kept_deletion"();

DROP TRIGGER "seal_append_only" ON "seal";
CREATE TRIGGER "seal_append_only"
    BEFORE UPDATE OR TRUNCATE ON "seal"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_seal_change"();
CREATE TRIGGER "seal_kept"
    BEFORE DELETE ON "seal"
    FOR EACH ROW EXECUTE FUNCTION "refuse_kept_deletion"();

DROP TRIGGER "goal_attachment_append_only" ON "goal_attachment";
CREATE TRIGGER "goal_attachment_append_only"
    BEFORE TRUNCATE ON "goal_attachment"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_attachment_change"();
CREATE TRIGGER "goal_attachment_kept"
    BEFORE DELETE ON "goal_attachment"
    FOR EACH ROW EXECUTE FUNCTION "refuse_kept_deletion"();

-- The goal that a numbered seal is of; null = of none.
CREATE FUNCTION "goal_of_row_seal"(of_kind TEXT, of_subject TEXT) RETURNS TEXT LANGUAGE sql STABLE AS $$
    SELECT CASE
        WHEN of_kind IN ('state', 'usage') THEN of_subject
        WHEN of_kind IN ('finding', 'baseline') THEN split_part(of_subject, ' ', 1)
        WHEN of_kind = 'delegate' THEN
            (SELECT d."parent_goal_id" FROM "delegate" d WHERE d."delegate_id" = of_subject)
    END
$$;

CREATE FUNCTION "refuse_row_seal_deletion"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM "removed_goal" r
        WHERE r."goal_id" = "goal_of_row_seal"(OLD."kind", OLD."subject")) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;

DROP TRIGGER "row_seal_append_only" ON "row_seal";
CREATE TRIGGER "row_seal_append_only"
    BEFORE UPDATE OR TRUNCATE ON "row_seal"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_seal_change"();
CREATE TRIGGER "row_seal_kept"
    BEFORE DELETE ON "row_seal"
    FOR EACH ROW EXECUTE FUNCTION "refuse_row_seal_deletion"();

CREATE OR REPLACE FUNCTION "refuse_early_deletion"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM "removed_goal" r WHERE r."goal_id" = OLD."goal_id")
        OR OLD.ordered_at < now() - interval '30 days' AND (
        EXISTS (SELECT 1 FROM "commit" c
            WHERE c.goal_id = OLD.goal_id AND c.commit_id = OLD.commit_id)
        OR NOT EXISTS (SELECT 1 FROM "request" r WHERE r.commit_id = OLD.commit_id)
        OR EXISTS (SELECT 1 FROM "goal" g
            WHERE g.goal_id = OLD.goal_id AND g.archived_at IS NOT NULL)
    ) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the order % is kept until it was taken and 30 days are over', OLD.commit_id
        USING ERRCODE = 'restrict_violation';
END;
$$;

-- A removal stays told.
CREATE TRIGGER "removed_goal_append_only"
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "removed_goal"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_seal_change"();
CREATE TRIGGER "kept_spend_append_only"
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "kept_spend"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_seal_change"();

-- The transaction that removes a goal adds the entry of the security log that says so, as its last
-- statement: without it nothing is removed.
CREATE FUNCTION "refuse_untold_removal"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM "security_log" l WHERE l."subject" = NEW."goal_id"
        AND l."what" = 'goal_removed' AND l."number" IS NOT NULL) THEN
        RETURN NULL;
    END IF;
    RAISE EXCEPTION 'the security log does not say that % was removed', NEW."goal_id"
        USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE CONSTRAINT TRIGGER "removed_goal_is_told"
    AFTER INSERT ON "removed_goal" DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW EXECUTE FUNCTION "refuse_untold_removal"();

-- The id of a goal that was removed is never used again: whoever kept its rows can't bring it back.
CREATE FUNCTION "refuse_removed_goal"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM "removed_goal" r WHERE r."goal_id" = NEW."goal_id") THEN
        RETURN NEW;
    END IF;
    RAISE EXCEPTION 'the goal % was removed', NEW."goal_id" USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "goal_not_removed"
    BEFORE INSERT ON "goal"
    FOR EACH ROW EXECUTE FUNCTION "refuse_removed_goal"();

-- Why a goal can't be removed yet; null = it can. It is at rest for good, old enough, and nothing that
-- goes on, on disk or in the record, leads to it.
CREATE FUNCTION "why_goal_stays"(of_goal TEXT, keep_days INTEGER) RETURNS TEXT LANGUAGE sql STABLE AS $$
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
        WHEN EXISTS (SELECT 1 FROM "anchor") AND NOT EXISTS (
            SELECT 1 FROM (SELECT a."seq", a."head", a."seals", a."seal_head" FROM "anchor_leaf" a
                WHERE a."subject" = of_goal ORDER BY a."number" DESC LIMIT 1) a
            WHERE (a."seq", a."head", a."seals")
                = (j."ledger_seq", j."ledger_head", j."seals")
                AND a."seal_head" IS NOT DISTINCT FROM j."seal_head")
            THEN 'its last head is not anchored'
    END
    FROM "goal" g JOIN "journal" j ON j."goal_id" = g."goal_id" WHERE g."goal_id" = of_goal
$$;

-- Takes a whole goal out, if it still is what was archived: revision, rows of the ledger, events and
-- seals. What its calls were charged stays, by quarter of an hour; of its requests stays what a repeat is
-- known by. The writer's user has no other way. Returns why it stays; null = it is gone.
CREATE FUNCTION "remove_goal"(of_goal TEXT, keep_days INTEGER, at_revision INTEGER, at_ledger INTEGER,
    at_event INTEGER, at_seal INTEGER) RETURNS TEXT
    LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
    why TEXT;
BEGIN
    IF keep_days < 1 THEN
        RAISE EXCEPTION 'goals are kept for a day at least' USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM 1 FROM "goal" g JOIN "journal" j ON j."goal_id" = g."goal_id"
        WHERE g."goal_id" = of_goal FOR UPDATE OF g, j;
    IF NOT FOUND THEN
        RETURN 'there is no such goal';
    END IF;
    PERFORM 1 FROM "goal" g JOIN "journal" j ON j."goal_id" = g."goal_id"
        WHERE g."goal_id" = of_goal AND g."revision" = at_revision AND j."ledger_seq" = at_ledger
            AND j."event_seq" = at_event AND j."seals" = at_seal;
    IF NOT FOUND THEN
        RETURN 'it changed since it was archived';
    END IF;
    why := "why_goal_stays"(of_goal, keep_days);
    IF why IS NOT NULL THEN
        RETURN why;
    END IF;
    INSERT INTO "removed_goal" ("goal_id", "created_by", "workspace")
        SELECT g."goal_id", g."created_by", "workspace_of_goal"(of_goal)
        FROM "goal" g WHERE g."goal_id" = of_goal;
    INSERT INTO "kept_spend" ("goal_id", "started_at", "model", "cost_usd", "estimated_usd", "calls",
        "tokens")
        SELECT of_goal, date_bin('15 minutes', s."started_at", '2000-01-01 00:00:00Z'), s."model",
            sum(s."cost_usd"), coalesce(sum(s."cost_usd") FILTER (WHERE s."is_estimated"), 0),
            count(*), sum(s."input_tokens" - s."cached_input_tokens" + s."output_tokens")
        FROM "step" s WHERE s."goal_id" = of_goal GROUP BY 1, 2, 3;
    UPDATE "request" SET "body" = '{}', "answer" = NULL, "http_status" = 410,
        "answered_at" = coalesce("answered_at", now()) WHERE "goal_id" = of_goal;
    DELETE FROM "row_seal" WHERE "kind" IN ('state', 'usage') AND "subject" = of_goal;
    DELETE FROM "row_seal" r USING "proof_finding" f WHERE f."goal_id" = of_goal
        AND r."kind" = 'finding' AND r."subject" = of_goal || ' ' || f."turn";
    DELETE FROM "row_seal" r USING "criterion_baseline" b WHERE b."goal_id" = of_goal
        AND r."kind" = 'baseline' AND r."subject" = of_goal || ' ' || b."criterion_id";
    -- A delegate's goal is vouched for by the row that its parent had of it: the row goes with the last.
    DELETE FROM "row_seal" r USING "delegate" d
        WHERE r."kind" = 'delegate' AND r."subject" = d."delegate_id" AND (
            d."child_goal_id" = of_goal OR d."parent_goal_id" = of_goal AND NOT EXISTS (
                SELECT 1 FROM "goal" c WHERE c."goal_id" = d."child_goal_id"));
    DELETE FROM "output_chunk" WHERE "ref" IN (
        SELECT l."output_ref" FROM "ledger" l
            WHERE l."goal_id" = of_goal AND l."output_ref" IS NOT NULL
        UNION SELECT of_goal || '/' || l."call_id" || '@' || l."token" FROM "ledger" l
            WHERE l."goal_id" = of_goal);
    DELETE FROM "delegate" d
        WHERE d."child_goal_id" = of_goal OR d."parent_goal_id" = of_goal AND NOT EXISTS (
            SELECT 1 FROM "goal" c WHERE c."goal_id" = d."child_goal_id");
    DELETE FROM "approval" WHERE "goal_id" = of_goal;
    DELETE FROM "attempt" WHERE "goal_id" = of_goal;
    DELETE FROM "call_stop" WHERE "goal_id" = of_goal;
    DELETE FROM "checkpoint" WHERE "goal_id" = of_goal;
    DELETE FROM "compaction" WHERE "goal_id" = of_goal;
    DELETE FROM "criterion_baseline" WHERE "goal_id" = of_goal;
    DELETE FROM "decision" WHERE "goal_id" = of_goal;
    DELETE FROM "delivery" WHERE "goal_id" = of_goal;
    DELETE FROM "dispute" WHERE "goal_id" = of_goal;
    DELETE FROM "election" WHERE "goal_id" = of_goal;
    DELETE FROM "event" WHERE "goal_id" = of_goal;
    DELETE FROM "following_goals" WHERE "goal_id" = of_goal;
    DELETE FROM "goal_attachment" WHERE "goal_id" = of_goal;
    DELETE FROM "goal_order" WHERE "goal_id" = of_goal;
    DELETE FROM "commit" WHERE "goal_id" = of_goal;
    DELETE FROM "inbox" WHERE "goal_id" = of_goal;
    DELETE FROM "ledger" WHERE "goal_id" = of_goal;
    DELETE FROM "message" WHERE "goal_id" = of_goal;
    DELETE FROM "notification" WHERE "goal_id" = of_goal;
    DELETE FROM "plan" WHERE "goal_id" = of_goal;
    DELETE FROM "proof_finding" WHERE "goal_id" = of_goal;
    DELETE FROM "question" WHERE "goal_id" = of_goal;
    DELETE FROM "requirement_list" WHERE "goal_id" = of_goal;
    DELETE FROM "rewind" WHERE "goal_id" = of_goal;
    DELETE FROM "run" WHERE "goal_id" = of_goal;
    DELETE FROM "seal" WHERE "goal_id" = of_goal;
    DELETE FROM "sealed_run" WHERE "goal_id" = of_goal;
    DELETE FROM "session_report" WHERE "goal_id" = of_goal;
    DELETE FROM "step" WHERE "goal_id" = of_goal;
    DELETE FROM "stuck_run" WHERE "goal_id" = of_goal;
    DELETE FROM "todo_list" WHERE "goal_id" = of_goal;
    DELETE FROM "turn" WHERE "goal_id" = of_goal;
    DELETE FROM "journal" WHERE "goal_id" = of_goal;
    DELETE FROM "goal" WHERE "goal_id" = of_goal;
    RETURN NULL;
END;
$$;

REVOKE EXECUTE ON FUNCTION "remove_goal"(TEXT, INTEGER, INTEGER, INTEGER, INTEGER, INTEGER) FROM PUBLIC;

-- A window counts what the calls of removed goals were charged as well.
CREATE OR REPLACE FUNCTION "open_spend_window"(of_scope TEXT, of_subject TEXT, from_at TIMESTAMPTZ,
    to_at TIMESTAMPTZ) RETURNS VOID
    LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
    LOCK TABLE "step" IN SHARE MODE;
    INSERT INTO "spend_window" ("scope", "subject", "starts_at", "ends_at", "cost_usd", "tokens",
        "held_usd", "held_tokens")
    SELECT of_scope, of_subject, from_at, to_at, coalesce(sum(c.cost), 0),
        coalesce(sum(c.tokens), 0), coalesce(sum(c.held), 0), coalesce(sum(c.held_tokens), 0)
    FROM (
        SELECT s.*, g."created_by" AS who, "workspace_of_goal"(g."goal_id") AS place
        FROM (
            SELECT s."goal_id", sum(s."cost_usd") FILTER (WHERE s."state" <> 'sent') AS cost,
                sum(s."input_tokens" - s."cached_input_tokens" + s."output_tokens")
                    FILTER (WHERE s."state" <> 'sent') AS tokens,
                sum(s."reserved_cost_usd") FILTER (WHERE s."state" = 'sent') AS held,
                sum(s."estimated_input" + s."reserved_output")
                    FILTER (WHERE s."state" = 'sent') AS held_tokens
            FROM "step" s WHERE s."started_at" >= from_at AND s."started_at" < to_at
            GROUP BY s."goal_id"
        ) s JOIN "goal" g ON g."goal_id" = s."goal_id"
        UNION ALL
        SELECT k."goal_id", k."cost_usd", k."tokens", 0, 0, r."created_by", r."workspace"
        FROM "kept_spend" k JOIN "removed_goal" r ON r."goal_id" = k."goal_id"
        WHERE k."started_at" >= from_at AND k."started_at" < to_at
    ) c
    WHERE CASE of_scope WHEN 'service' THEN TRUE
        WHEN 'workspace' THEN c.place = of_subject
        ELSE c.who = of_subject END
    ON CONFLICT DO NOTHING;
    -- A call that is lost is charged within hours; nothing asks for older windows.
    DELETE FROM "spend_window" w WHERE w."ends_at" < now() - interval '90 days';
END;
$$;

-- Nobody's temporary tables stand in for those of the record.
DO $$
DECLARE
    own TEXT;
BEGIN
    FOREACH own IN ARRAY ARRAY['refuse_kept_deletion()', 'goal_of_row_seal(TEXT, TEXT)',
        'refuse_row_seal_deletion()', 'refuse_early_deletion()', 'refuse_untold_removal()',
        'refuse_removed_goal()', 'why_goal_stays(TEXT, INTEGER)',
        'remove_goal(TEXT, INTEGER, INTEGER, INTEGER, INTEGER, INTEGER)',
        'open_spend_window(TEXT, TEXT, TIMESTAMPTZ, TIMESTAMPTZ)'] LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', own, current_schema());
    END LOOP;
END;
$$;
