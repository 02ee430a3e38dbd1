-- With a key each of these rows bears a seal from the moment that it is added.
ALTER TABLE "message" ADD COLUMN "seal" TEXT;
ALTER TABLE "todo_list" ADD COLUMN "seal" TEXT;
ALTER TABLE "requirement_list" ADD COLUMN "seal" TEXT;
ALTER TABLE "plan" ADD COLUMN "seal" TEXT;
ALTER TABLE "compaction" ADD COLUMN "seal" TEXT;
ALTER TABLE "inbox" ADD COLUMN "seal" TEXT;
ALTER TABLE "goal_attachment" ADD COLUMN "seal" TEXT;
ALTER TABLE "checkpoint" ADD COLUMN "seal" TEXT;
ALTER TABLE "notification" ADD COLUMN "seal" TEXT;
ALTER TABLE "schedule_run" ADD COLUMN "seal" TEXT;

-- A statement gives these their numbers, so no seal covers them: each seal stands once instead.
CREATE UNIQUE INDEX "message_seal_key" ON "message"("seal");
CREATE UNIQUE INDEX "todo_list_seal_key" ON "todo_list"("seal");
CREATE UNIQUE INDEX "requirement_list_seal_key" ON "requirement_list"("seal");
CREATE UNIQUE INDEX "plan_seal_key" ON "plan"("seal");
