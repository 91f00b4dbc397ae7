import * as v from 'valibot'
import { ALL_STATUSES, commonSettings, defineKind, listReactionValues, reactionsSetting } from '../define-kind.ts'

/** What people propose: others support it, or agree or disagree, and reply, and the team answers with a status. */
export const ideas = defineKind({
  settings: v.strictObject({ ...commonSettings, reactions: reactionsSetting }),
  sections: { access: ['reactions'] },
  maxTitle: 140,
  maxBody: 5000,
  chooseTools: ({ photos, reactions }) => ({
    titles: true,
    reactions: listReactionValues(reactions),
    replies: true,
    answers: true,
    photos,
  }),
  statuses: ALL_STATUSES,
})
