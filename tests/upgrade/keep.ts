import { keepRelease } from './releases.ts'

/** `npm run keep-release -- 1.2`: from then on, upgrades from this release are tested. Everything has to be committed. */
const [name] = process.argv.slice(2)
if (!name || !/^[\w.-]+$/.test(name)) throw new Error('Name the release: npm run keep-release -- 1.2')
keepRelease(name)
