-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "branch" TEXT,
ADD COLUMN     "is_repository" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "origin" TEXT,
ADD COLUMN     "result" JSONB;

-- CreateTable
CREATE TABLE "checkpoint" (
    "goal_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "number" BIGSERIAL NOT NULL,
    "turn" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "commit_hash" TEXT NOT NULL,
    "write_seq" BIGINT NOT NULL,
    "todo_revision" INTEGER NOT NULL,
    "changed" INTEGER NOT NULL,
    "left_out" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "checkpoint_pkey" PRIMARY KEY ("goal_id","name")
);

-- CreateTable
CREATE TABLE "rewind" (
    "goal_id" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "commit_id" TEXT NOT NULL,
    "checkpoint" TEXT NOT NULL,
    "turn" INTEGER NOT NULL,
    "ordered_by" TEXT NOT NULL,
    "state" TEXT NOT NULL,
    "result" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "rewind_pkey" PRIMARY KEY ("goal_id","number")
);

-- CreateIndex
CREATE UNIQUE INDEX "checkpoint_number_key" ON "checkpoint"("number");

-- CreateIndex
CREATE UNIQUE INDEX "rewind_commit_id_key" ON "rewind"("commit_id");
