-- A message that no turn took can be taken back: the turn 0 has it then, which is none. One column says
-- who has a message, so it is read or taken back, and never both.
ALTER TABLE "inbox"
    ADD COLUMN "sent_by" TEXT,
    ADD COLUMN "led_on" BOOLEAN NOT NULL DEFAULT FALSE,
    ADD COLUMN "taken_back_by" TEXT,
    ADD COLUMN "taken_back_at" TIMESTAMPTZ(3),
    ADD CONSTRAINT "inbox_taken_back_whole" CHECK (
        ("taken_by_turn" IS NOT DISTINCT FROM 0) = ("taken_back_at" IS NOT NULL)
        AND ("taken_back_at" IS NULL) = ("taken_back_by" IS NULL)
    ),
    ADD CONSTRAINT "inbox_taken_back_at_has_a_day"
    CHECK ("taken_back_at" >= '0001-01-01 00:00:00Z' AND "taken_back_at" < '10000-01-01 00:00:00Z');

CREATE FUNCTION "refuse_other_taking_back"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the message % was taken back', OLD."message_id" USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "inbox_taken_back_once"
    BEFORE UPDATE ON "inbox"
    FOR EACH ROW WHEN (
        OLD."taken_back_at" IS NOT NULL AND (
            OLD."taken_back_at" IS DISTINCT FROM NEW."taken_back_at"
            OR OLD."taken_back_by" IS DISTINCT FROM NEW."taken_back_by"
        )
    )
    EXECUTE FUNCTION "refuse_other_taking_back"();

DO $$
BEGIN
    EXECUTE format('ALTER FUNCTION refuse_other_taking_back() SET search_path = %I, pg_temp', current_schema());
END;
$$;

-- The criterion that a person accepted in place of the one that was proposed.
ALTER TABLE "approval"
    ADD COLUMN "accepted" JSONB,
    ADD CONSTRAINT "approval_accepted_has_shape" CHECK (has_shape("accepted", 'object'));
