import { createServerFn } from '@tanstack/react-start'

export const readHome = createServerFn().handler(async ({ context }) => ({ name: context.ctx.site.name, language: context.ctx.language }))
