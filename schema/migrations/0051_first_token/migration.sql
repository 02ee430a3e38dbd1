-- How long a call's first token took, as its worker saw the stream begin.
ALTER TABLE "step" ADD COLUMN "first_token_ms" INTEGER;
