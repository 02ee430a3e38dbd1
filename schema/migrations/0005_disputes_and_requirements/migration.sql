-- Criteria that the model disputes, with the counter-example that the host ran.
CREATE TABLE "dispute" (
    "dispute_id" TEXT NOT NULL,
    "goal_id" TEXT NOT NULL,
    "criterion_id" TEXT NOT NULL,
    "call_id" TEXT NOT NULL,
    "turn" INTEGER NOT NULL,
    "body" JSONB NOT NULL,
    "state" TEXT NOT NULL,
    "decided_by" TEXT,
    "note" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "decided_at" TIMESTAMPTZ(3),

    CONSTRAINT "dispute_pkey" PRIMARY KEY ("dispute_id")
);

CREATE INDEX "dispute_goal_id_idx" ON "dispute"("goal_id");

-- What the objective asks for, piece by piece: each version whole.
CREATE TABLE "requirement_list" (
    "goal_id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "items" JSONB NOT NULL,
    "call_id" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "requirement_list_pkey" PRIMARY KEY ("goal_id","revision")
);
