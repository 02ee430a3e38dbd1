-- CreateTable
CREATE TABLE "token" (
    "name" TEXT NOT NULL,
    "secret_hash" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "workspaces" JSONB,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "revoked_by" TEXT,

    CONSTRAINT "token_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE UNIQUE INDEX "token_secret_hash_key" ON "token"("secret_hash");

-- A token stays what it was made as, and its name is never anybody else's.
CREATE FUNCTION "refuse_token_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'tokens are only revoked: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "token_kept"
    BEFORE DELETE OR TRUNCATE ON "token"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_token_change"();

CREATE TRIGGER "token_unchanged"
    BEFORE UPDATE ON "token"
    FOR EACH ROW WHEN (
        (OLD."name", OLD."secret_hash", OLD."role", OLD."workspaces", OLD."created_by", OLD."created_at", OLD."expires_at")
            IS DISTINCT FROM
        (NEW."name", NEW."secret_hash", NEW."role", NEW."workspaces", NEW."created_by", NEW."created_at", NEW."expires_at")
        OR (OLD."revoked_at" IS NOT NULL AND (OLD."revoked_at", OLD."revoked_by") IS DISTINCT FROM (NEW."revoked_at", NEW."revoked_by"))
    )
    EXECUTE FUNCTION "refuse_token_change"();

-- CreateTable
CREATE TABLE "security_log" (
    "seq" BIGSERIAL NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "who" TEXT,
    "role" TEXT,
    "address" TEXT,
    "what" TEXT NOT NULL,
    "subject" TEXT,
    "result" TEXT NOT NULL,
    "data" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "security_log_pkey" PRIMARY KEY ("seq")
);

CREATE FUNCTION "refuse_security_log_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the security log is append-only: % refused', TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "security_log_append_only"
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "security_log"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_security_log_change"();

-- AlterTable
ALTER TABLE "session" ADD COLUMN "identity" JSONB;
