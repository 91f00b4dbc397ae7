import * as v from 'valibot'
import { ALL_STATUSES, commonSettings, defineKind } from '../define-kind.ts'

/** What people propose: others support it and reply, and the team answers with a status. */
export const ideas = defineKind({
  settings: v.strictObject(commonSettings),
  maxTitle: 140,
  maxBody: 5000,
  chooseTools: () => ({ titles: true, reactions: ['support'], replies: true, answers: true }),
  statuses: ALL_STATUSES,
})
