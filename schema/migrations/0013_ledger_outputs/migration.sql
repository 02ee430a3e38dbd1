-- CreateTable
CREATE TABLE "output_chunk" (
    "ref" TEXT NOT NULL,
    "start" INTEGER NOT NULL,
    "content" BYTEA NOT NULL,
    "next_head" BYTEA NOT NULL,

    CONSTRAINT "output_chunk_pkey" PRIMARY KEY ("ref","start")
);

-- CreateTable
CREATE TABLE "plan" (
    "goal_id" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "markdown" TEXT NOT NULL,
    "call_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "plan_pkey" PRIMARY KEY ("goal_id","revision")
);

-- CreateTable
CREATE TABLE "workspace_queue" (
    "ticket" BIGSERIAL NOT NULL,
    "workspace" TEXT NOT NULL,
    "goal_id" TEXT NOT NULL,

    CONSTRAINT "workspace_queue_pkey" PRIMARY KEY ("ticket")
);

-- CreateIndex
CREATE UNIQUE INDEX "workspace_queue_goal_id_key" ON "workspace_queue"("goal_id");

-- CreateIndex
CREATE INDEX "workspace_queue_workspace_ticket_idx" ON "workspace_queue"("workspace", "ticket");

-- Outputs that were stored in one piece become their first chunk.
INSERT INTO "output_chunk" ("ref", "start", "content", "next_head")
    SELECT "ref", 0, "content", '' FROM "output";

-- DropTable
DROP TABLE "output";

-- Compressing a piece would cost more than the disk that it saves.
ALTER TABLE "output_chunk" ALTER COLUMN "content" SET STORAGE EXTERNAL;
