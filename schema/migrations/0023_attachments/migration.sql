-- Files with objectives, messages, answers and results of calls.
ALTER TABLE "goal" ADD COLUMN "attachments" JSONB;
ALTER TABLE "inbox" ADD COLUMN "attachments" JSONB;

CREATE TABLE "attachment_content" (
    "sha256" TEXT NOT NULL,
    "content" BYTEA NOT NULL,
    "kept_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "attachment_content_pkey" PRIMARY KEY ("sha256")
);
-- Images are compressed already.
ALTER TABLE "attachment_content" ALTER COLUMN "content" SET STORAGE EXTERNAL;

CREATE TABLE "attachment" (
    "attachment_id" TEXT NOT NULL,
    "created_by" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "ref" JSONB NOT NULL,
    "bytes" INTEGER NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "attachment_pkey" PRIMARY KEY ("attachment_id")
);
CREATE INDEX "attachment_created_by_idx" ON "attachment"("created_by");
CREATE INDEX "attachment_sha256_idx" ON "attachment"("sha256");

CREATE TABLE "goal_attachment" (
    "goal_id" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "ref" JSONB NOT NULL,
    "added_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "number" BIGSERIAL NOT NULL,

    CONSTRAINT "goal_attachment_pkey" PRIMARY KEY ("goal_id","sha256","source","source_id")
);
CREATE INDEX "goal_attachment_sha256_idx" ON "goal_attachment"("sha256");

CREATE FUNCTION "refuse_attachment_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is kept as it is: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "goal_attachment_append_only"
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "goal_attachment"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_attachment_change"();
CREATE TRIGGER "attachment_content_unchanged"
    BEFORE UPDATE OR TRUNCATE ON "attachment_content"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_attachment_change"();

CREATE FUNCTION "refuse_held_deletion"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT 1 FROM "goal_attachment" g WHERE g.sha256 = OLD.sha256) THEN
        RAISE EXCEPTION 'a goal holds the file %', OLD.sha256 USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN OLD;
END;
$$;
CREATE TRIGGER "attachment_content_held"
    BEFORE DELETE ON "attachment_content"
    FOR EACH ROW EXECUTE FUNCTION "refuse_held_deletion"();
