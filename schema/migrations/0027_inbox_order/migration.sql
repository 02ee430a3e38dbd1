-- What waits keeps the order in which it was sent.
CREATE SEQUENCE "inbox_seq_seq";
ALTER TABLE "inbox" ADD COLUMN "seq" BIGINT;
UPDATE "inbox" SET "seq" = "ordered"."seq"
FROM (
  SELECT "message_id", nextval('inbox_seq_seq') AS "seq"
  FROM (SELECT "message_id" FROM "inbox" ORDER BY "created_at", "message_id") AS "sent"
) AS "ordered"
WHERE "inbox"."message_id" = "ordered"."message_id";
ALTER TABLE "inbox"
  ALTER COLUMN "seq" SET DEFAULT nextval('inbox_seq_seq'),
  ALTER COLUMN "seq" SET NOT NULL;
ALTER SEQUENCE "inbox_seq_seq" OWNED BY "inbox"."seq";
