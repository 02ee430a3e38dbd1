-- A step's number said of what kind it was before the column did.
UPDATE "step" SET "kind" = CASE WHEN "step" >= 1000000000 THEN 'compaction' ELSE 'review' END
WHERE "kind" = 'turn' AND "step" >= 100000;

ALTER TABLE "step" DROP CONSTRAINT "step_pkey",
  ADD CONSTRAINT "step_pkey" PRIMARY KEY ("goal_id", "turn", "kind", "step", "attempt");

CREATE TABLE "check_run" (
  "check_id" TEXT NOT NULL,
  "host" TEXT NOT NULL,
  "worker_id" TEXT NOT NULL,
  "helper_pid" INTEGER,
  "helper_started_at" TEXT,
  "helper_is_init" BOOLEAN NOT NULL DEFAULT false,

  CONSTRAINT "check_run_pkey" PRIMARY KEY ("check_id")
);

ALTER TABLE "workspace" ADD COLUMN "lease_check_id" TEXT;

-- Checks without a goal stood in columns of goals, under ids that begin with "check:".
INSERT INTO "check_run" ("check_id", "host", "worker_id", "helper_pid", "helper_started_at", "helper_is_init")
SELECT "goal_id", "host", "worker_id", "helper_pid", "helper_started_at", "helper_is_init"
FROM "attempt" WHERE "goal_id" LIKE 'check:%';

DELETE FROM "attempt" WHERE "goal_id" LIKE 'check:%';

UPDATE "workspace" SET "lease_check_id" = "lease_goal_id", "lease_goal_id" = NULL, "lease_epoch" = NULL
WHERE "lease_goal_id" LIKE 'check:%';

ALTER TABLE "workspace" ADD CONSTRAINT "workspace_one_holder"
  CHECK ("lease_goal_id" IS NULL OR "lease_check_id" IS NULL);
