-- AlterTable
ALTER TABLE "checkpoint" ADD COLUMN     "unread" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "rewind" ADD COLUMN     "write_seq" BIGINT;

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN     "worktree_problem" TEXT;
