-- With a key, the end of a goal's ledger and of its seals is sealed beside it.
ALTER TABLE "journal" ADD COLUMN "ledger_seal" TEXT,
ADD COLUMN "seal_end" TEXT,
ADD COLUMN "seal_head" TEXT,
ADD COLUMN "seals" INTEGER NOT NULL DEFAULT 0;

CREATE TABLE "seal" (
    "goal_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "digest" TEXT NOT NULL,
    "ledger_seq" INTEGER NOT NULL,
    "ledger_head" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "previous" TEXT NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "seal_pkey" PRIMARY KEY ("goal_id","number")
);

CREATE TABLE "sealing" (
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "goals" INTEGER NOT NULL,
    "hash" TEXT NOT NULL,

    CONSTRAINT "sealing_pkey" PRIMARY KEY ("started_at")
);

-- Seals are only ever added to.
CREATE FUNCTION "refuse_seal_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only: % refused', TG_TABLE_NAME, TG_OP USING ERRCODE = 'restrict_violation';
END;
$$;

CREATE TRIGGER "seal_append_only"
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "seal"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_seal_change"();

CREATE TRIGGER "sealing_append_only"
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "sealing"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_seal_change"();
