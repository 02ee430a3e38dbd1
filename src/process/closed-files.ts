/**
 * Imported before anything else by each program of the service: nobody but its user writes to what
 * it makes, whatever the mask of its shell. Reading stays as that mask has it, because commands
 * inherit this one and their files are a person's.
 */
const OTHERS_WRITE = 0o022;

process.umask(process.umask(0o077) | OTHERS_WRITE);
