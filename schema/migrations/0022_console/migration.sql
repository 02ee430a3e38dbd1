-- CreateTable
CREATE TABLE "session" (
    "secret_hash" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "token_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "session_pkey" PRIMARY KEY ("secret_hash")
);

-- CreateIndex
CREATE INDEX "goal_updated_at_goal_id_idx" ON "goal"("updated_at" DESC, "goal_id");
