-- CreateTable
CREATE TABLE "inbound_trigger" (
    "trigger_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "secret" BYTEA NOT NULL,
    "secret_key" TEXT NOT NULL,
    "filter" JSONB NOT NULL,
    "parameters" JSONB NOT NULL,
    "action" JSONB NOT NULL,
    "most_per_hour" INTEGER NOT NULL,
    "owner" TEXT NOT NULL,
    "owner_role" TEXT NOT NULL,
    "refused" INTEGER NOT NULL DEFAULT 0,
    "last_refused_at" TIMESTAMPTZ(3),
    "last_refused" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "inbound_trigger_pkey" PRIMARY KEY ("trigger_id")
);

-- CreateTable
CREATE TABLE "trigger_delivery" (
    "delivery_id" TEXT NOT NULL,
    "trigger_id" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "body_sha256" TEXT NOT NULL,
    "event" TEXT,
    "state" TEXT NOT NULL,
    "act" JSONB,
    "outcome" JSONB NOT NULL,
    "goal_id" TEXT,
    "sight" JSONB,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "claimed_until" TIMESTAMPTZ(3),
    "next_at" TIMESTAMPTZ(3),
    "seq" BIGSERIAL NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "trigger_delivery_pkey" PRIMARY KEY ("delivery_id")
);

-- CreateIndex
CREATE UNIQUE INDEX "inbound_trigger_name_key" ON "inbound_trigger"("name");

-- CreateIndex
CREATE INDEX "trigger_delivery_trigger_id_seq_idx" ON "trigger_delivery"("trigger_id", "seq" DESC);

-- CreateIndex
CREATE INDEX "trigger_delivery_trigger_id_body_sha256_idx" ON "trigger_delivery"("trigger_id", "body_sha256");

-- CreateIndex
CREATE INDEX "trigger_delivery_state_next_at_idx" ON "trigger_delivery"("state", "next_at");

-- CreateIndex
CREATE INDEX "trigger_delivery_settled_at_idx" ON "trigger_delivery"("settled_at");

-- CreateIndex
CREATE UNIQUE INDEX "trigger_delivery_trigger_id_external_id_key" ON "trigger_delivery"("trigger_id", "external_id");
