import { createServerFn } from '@tanstack/react-start'
import { noInput } from '#app/lib/validate.ts'
import { readOpencitiesMeta } from './opencities.server.ts'

export const getOpencitiesMeta = createServerFn()
  .validator(noInput)
  .handler(async ({ context }) => ({
    opencitiesMeta: await readOpencitiesMeta(context.ctx),
  }))
