import { createServerFn } from '@tanstack/react-start'
import * as v from 'valibot'
import { createInputValidator, noInput } from '#app/lib/validate.ts'
import { embedDomainSchema, hostSchema } from './embeds.schema.ts'
import { allowDomain, findEmbeddable, findEmbeddables, readEmbedSettings, removeDomain } from './embeds.server.ts'

export const getEmbedSettings = createServerFn()
  .validator(noInput)
  .handler(({ context }) => readEmbedSettings(context.ctx))

export const saveEmbedDomain = createServerFn({ method: 'POST' })
  .validator(createInputValidator(embedDomainSchema))
  .handler(({ context, data }) => allowDomain(context.ctx, data))

export const dropEmbedDomain = createServerFn({ method: 'POST' })
  .validator(createInputValidator(v.object({ host: hostSchema })))
  .handler(({ context, data }) => removeDomain(context.ctx, data.host))

export const searchEmbeddables = createServerFn()
  .validator(createInputValidator(v.object({ words: v.pipe(v.string(), v.maxLength(200)) })))
  .handler(({ context, data }) => findEmbeddables(context.ctx, data.words))

export const getEmbeddable = createServerFn()
  .validator(createInputValidator(v.object({ path: v.pipe(v.string(), v.maxLength(300)) })))
  .handler(({ context, data }) => findEmbeddable(context.ctx, data.path))
