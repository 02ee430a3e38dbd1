-- CreateTable
CREATE TABLE "stored_rule" (
    "rule_id" TEXT NOT NULL,
    "workspace" TEXT NOT NULL,
    "covers" JSONB NOT NULL,
    "digest" TEXT NOT NULL,
    "made_by" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(3) NOT NULL,
    "goal_id" TEXT NOT NULL,
    "approval_id" TEXT NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,

    CONSTRAINT "stored_rule_pkey" PRIMARY KEY ("rule_id")
);

-- CreateIndex
CREATE INDEX "stored_rule_workspace_idx" ON "stored_rule"("workspace");

-- The same rule holds once: who revokes it takes it away.
CREATE UNIQUE INDEX "stored_rule_holds_once" ON "stored_rule"("workspace", "digest") WHERE "revoked_at" IS NULL;

-- A rule stays as it was made, and ends once.
CREATE FUNCTION "refuse_rule_change"() RETURNS trigger AS $$
BEGIN
    RAISE EXCEPTION 'a stored rule never changes, and its end stays';
END;
$$ LANGUAGE plpgsql;

CREATE TRIGGER "stored_rule_unchanged"
    BEFORE UPDATE ON "stored_rule"
    FOR EACH ROW WHEN (
        to_jsonb(OLD.*) - ARRAY['revoked_at', 'revoked_by']
            IS DISTINCT FROM
        to_jsonb(NEW.*) - ARRAY['revoked_at', 'revoked_by']
        OR OLD."revoked_at" IS NOT NULL
    )
    EXECUTE FUNCTION "refuse_rule_change"();

CREATE TRIGGER "stored_rule_kept"
    BEFORE DELETE OR TRUNCATE ON "stored_rule"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_rule_change"();
