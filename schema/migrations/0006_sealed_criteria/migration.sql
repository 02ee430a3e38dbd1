-- Criteria that the model never sees, and how they were judged: encrypted with a key of the host.
CREATE TABLE "sealed_criterion" (
    "sealed_id" TEXT NOT NULL,
    "told" JSONB NOT NULL,
    "sha256" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "content" BYTEA,
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sealed_criterion_pkey" PRIMARY KEY ("sealed_id")
);

CREATE TABLE "sealed_run" (
    "goal_id" TEXT NOT NULL,
    "receipt" INTEGER NOT NULL,
    "sealed_id" TEXT NOT NULL,
    "criterion_id" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "key_id" TEXT NOT NULL,
    "body" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sealed_run_pkey" PRIMARY KEY ("goal_id","receipt")
);
