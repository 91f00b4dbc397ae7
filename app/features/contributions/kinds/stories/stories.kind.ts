import * as v from 'valibot'
import { commonSettings, createPhotosSetting, defineKind } from '../define-kind.ts'

/** What people lived through. Without titles, replies and support, it is a guestbook. */
export const stories = defineKind({
  settings: v.strictObject({
    ...commonSettings,
    photos: createPhotosSetting(3),
    titles: v.optional(v.boolean(), true),
    replies: v.optional(v.boolean(), true),
    support: v.optional(v.boolean(), true),
  }),
  sections: { access: ['replies', 'support'], asks: ['titles'] },
  maxTitle: 140,
  maxBody: 20_000,
  chooseTools: ({ titles, replies, support, photos }) => ({
    titles,
    replies,
    reactions: support ? ['support'] : [],
    answers: false,
    photos,
  }),
  statuses: [],
})
