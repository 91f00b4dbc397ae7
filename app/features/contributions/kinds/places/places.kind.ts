import * as v from 'valibot'
import { type Shape, SHAPES } from '../../record/drawing.schema.ts'
import { ALL_STATUSES, commonSettings, createPhotosSetting, defineKind, listReactionValues, reactionsSetting } from '../define-kind.ts'

/** What people put on a map: others support it, or agree or disagree, and reply, and the team answers with a status. */
export const places = defineKind({
  settings: v.strictObject({
    ...commonSettings,
    photos: createPhotosSetting(3),
    reactions: reactionsSetting,
    asksArea: v.optional(v.boolean(), true),
    /** What happens to a place outside the site's areas. */
    border: v.optional(v.picklist(['warn', 'refuse']), 'warn'),
    /** What people may put on the map. */
    geometries: v.optional(v.pipe(v.array(v.picklist(SHAPES)), v.minLength(1)), ['points']),
  }),
  sections: { map: ['geometries', 'border'], access: ['reactions'] },
  maxTitle: 140,
  maxBody: 5000,
  chooseTools: ({ border, geometries, photos, reactions }) => ({
    titles: true,
    reactions: listReactionValues(reactions),
    replies: true,
    answers: true,
    photos,
    // Activities from before lines and areas have no such setting.
    places: { border, geometries: SHAPES.filter((shape) => (geometries as Shape[] | undefined)?.includes(shape) ?? shape === 'points') },
  }),
  statuses: ALL_STATUSES,
})
