-- CreateTable
CREATE TABLE "row_seal" (
    "kind" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "seal" TEXT NOT NULL,

    CONSTRAINT "row_seal_pkey" PRIMARY KEY ("kind","subject","number")
);

-- No former content of a row comes back, whoever kept its seal.
CREATE TRIGGER "row_seal_append_only"
    BEFORE UPDATE OR DELETE OR TRUNCATE ON "row_seal"
    FOR EACH STATEMENT EXECUTE FUNCTION "refuse_seal_change"();
