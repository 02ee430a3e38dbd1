-- AlterTable
ALTER TABLE "goal" ADD COLUMN     "agent" TEXT;

-- AlterTable
ALTER TABLE "journal" ADD COLUMN     "agent_session" JSONB;
