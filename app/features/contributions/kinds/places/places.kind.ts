import * as v from 'valibot'
import { ALL_STATUSES, commonSettings, createPhotosSetting, defineKind } from '../define-kind.ts'

/** What people put on a map: others support it and reply, and the team answers with a status. */
export const places = defineKind({
  settings: v.strictObject({
    ...commonSettings,
    photos: createPhotosSetting(3),
    asksArea: v.optional(v.boolean(), true),
    /** What happens to a place outside the site's areas. */
    border: v.optional(v.picklist(['warn', 'refuse']), 'warn'),
  }),
  maxTitle: 140,
  maxBody: 5000,
  chooseTools: ({ border, photos }) => ({
    titles: true,
    reactions: ['support'],
    replies: true,
    answers: true,
    photos,
    places: { border },
  }),
  statuses: ALL_STATUSES,
})
