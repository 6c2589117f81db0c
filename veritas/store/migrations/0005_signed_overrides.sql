-- Whether keys on the roster of approvers signed it; all that was let in before was unsigned.
ALTER TABLE overrides ADD COLUMN signed BOOLEAN DEFAULT false;
