-- AlterTable
ALTER TABLE "token" ADD COLUMN     "seal" TEXT;

-- AlterTable
ALTER TABLE "session" ADD COLUMN     "seal" TEXT;

-- CreateIndex
CREATE INDEX "seal_goal_id_kind_subject_number_idx" ON "seal"("goal_id", "kind", "subject", "number" DESC);

-- All columns but these stay as the token was made with, also those that it gets later.
DROP TRIGGER "token_unchanged" ON "token";

CREATE TRIGGER "token_unchanged"
    BEFORE UPDATE ON "token"
    FOR EACH ROW WHEN (
        to_jsonb(OLD.*) - ARRAY['last_used_at', 'revoked_at', 'revoked_by', 'seal']
            IS DISTINCT FROM
        to_jsonb(NEW.*) - ARRAY['last_used_at', 'revoked_at', 'revoked_by', 'seal']
        OR (OLD."revoked_at" IS NOT NULL AND (OLD."revoked_at", OLD."revoked_by") IS DISTINCT FROM (NEW."revoked_at", NEW."revoked_by"))
    )
    EXECUTE FUNCTION "refuse_token_change"();
