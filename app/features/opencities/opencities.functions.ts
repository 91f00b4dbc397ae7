import { createServerFn } from '@tanstack/react-start'
import { readOpencitiesMeta } from './opencities.server.ts'

export const getOpencitiesMeta = createServerFn().handler(async ({ context }) => ({
  opencitiesMeta: await readOpencitiesMeta(context.ctx),
}))
