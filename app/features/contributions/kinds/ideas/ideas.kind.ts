import * as v from 'valibot'
import { ALL_STATUSES, commonSettings, defineKind } from '../define-kind.ts'

/** What people propose: others support it and reply, and the team answers with a status. */
export const ideas = defineKind({
  settings: v.strictObject(commonSettings),
  maxTitle: 140,
  maxBody: 5000,
  chooseTools: ({ photos }) => ({ titles: true, reactions: ['support'], replies: true, answers: true, photos }),
  statuses: ALL_STATUSES,
})
