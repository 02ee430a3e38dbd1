-- Which records a note of the beginning of seals covers: 1 = decisions, approvals, completions;
-- 2 = whatever is decided.
ALTER TABLE "sealing" ADD COLUMN "covers" INTEGER NOT NULL DEFAULT 1;

-- The security log is a chain from here on; rows from before have no number.
ALTER TABLE "security_log" ADD COLUMN "number" BIGINT,
ADD COLUMN "previous" TEXT,
ADD COLUMN "hash" TEXT;
CREATE UNIQUE INDEX "security_log_number_key" ON "security_log"("number");

CREATE TABLE "security_head" (
    "id" INTEGER NOT NULL DEFAULT 1,
    "number" BIGINT NOT NULL,
    "hash" TEXT NOT NULL,
    "seal" TEXT,

    CONSTRAINT "security_head_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "security_head_single" CHECK ("id" = 1)
);
INSERT INTO "security_head" ("number", "hash")
VALUES (0, encode(sha256('goalkeeper security log'::bytea), 'hex'));

-- Signed heads of the whole record, and the heads of goals that they are made of.
CREATE TABLE "anchor" (
    "size" BIGINT NOT NULL,
    "root" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "key_id" TEXT NOT NULL,
    "signature" TEXT NOT NULL,
    "peaks" JSONB NOT NULL,

    CONSTRAINT "anchor_pkey" PRIMARY KEY ("size")
);

CREATE TABLE "anchor_leaf" (
    "number" BIGINT NOT NULL,
    "subject" TEXT NOT NULL,
    "seq" BIGINT NOT NULL,
    "head" TEXT NOT NULL,
    "seals" INTEGER NOT NULL,
    "seal_head" TEXT,

    CONSTRAINT "anchor_leaf_pkey" PRIMARY KEY ("number")
);
CREATE INDEX "anchor_leaf_subject_number_idx" ON "anchor_leaf"("subject", "number" DESC);

CREATE TABLE "anchor_delivery" (
    "size" BIGINT NOT NULL,
    "target" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_error" TEXT,
    "delivered_at" TIMESTAMPTZ(3),

    CONSTRAINT "anchor_delivery_pkey" PRIMARY KEY ("size","target")
);

CREATE TRIGGER "anchor_append_only"
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "anchor"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_seal_change"();
CREATE TRIGGER "anchor_leaf_append_only"
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "anchor_leaf"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_seal_change"();

-- An order may go 30 days after it was given: its goal has taken it, or never will.
DROP TRIGGER "goal_order_append_only" ON "goal_order";
CREATE TRIGGER "goal_order_append_only"
    BEFORE UPDATE OR TRUNCATE ON "goal_order"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_order_change"();

CREATE FUNCTION "refuse_early_deletion"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF OLD.ordered_at < now() - interval '30 days' AND (
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

CREATE TRIGGER "goal_order_kept"
    BEFORE DELETE ON "goal_order"
    FOR EACH ROW EXECUTE FUNCTION "refuse_early_deletion"();

-- Workspaces that a worker was told to serve and refused, with the reason.
ALTER TABLE "worker" ADD COLUMN "refused" JSONB NOT NULL DEFAULT '[]';
