-- CreateIndex
CREATE INDEX "security_log_subject_what_idx" ON "security_log"("subject", "what");
