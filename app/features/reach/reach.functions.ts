import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { AppError } from '#app/lib/app-error.ts'
import { createInputValidator, createQuerySchema } from '#app/lib/validate.ts'
import { readPersonal } from '#app/server/shared-rendering.ts'
import { parsePlaceParam, readReachSearch } from './reach.search.ts'
import { findReachPlaces, readReach, readReachPlace, readReachSummary } from './reach.server.ts'

export const getReach = createServerFn()
  .validator(createInputValidator(createQuerySchema(readReachSearch)))
  .handler(({ context, data }) => readReach(context.ctx, { place: parsePlaceParam(data.place), days: data.days ?? 30 }))

export const searchReachPlaces = createServerFn()
  .validator(createInputValidator(v.object({ words: v.pipe(v.string(), v.maxLength(200)) })))
  .handler(({ context, data }) => findReachPlaces(context.ctx, data.words))

/** @returns its title */
export const getReachPlace = createServerFn()
  .validator(createInputValidator(v.object({ place: v.pipe(v.string(), v.maxLength(60)) })))
  .handler(async ({ context, data }) => {
    const place = parsePlaceParam(data.place)
    if (!place) throw new AppError('not-found')
    return (await readReachPlace(context.ctx, place)).title
  })

export const getReachSummary = createServerFn()
  .validator(createInputValidator(createQuerySchema(readReachSearch)))
  .handler(({ context, data }) => {
    const { place, days = 30 } = data
    return readPersonal(context.ctx, ['reach', place, days], (ctx) => readReachSummary(ctx, parsePlaceParam(place), days))
  })
