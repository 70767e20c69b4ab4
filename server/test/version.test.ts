// The commit that `--version` names is that of this checkout, and never that of a repository around it.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { commit } from '../src/version.ts'
import { dataFolder } from './support/program.ts'

const { PATH = '' } = process.env

test('the commit is that of the checkout, also if the checkout belongs to another user', async (t) => {
  const folder = await dataFolder(t)
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim()
  git('init', '--quiet')
  assert.equal(commit({ PATH }, folder), undefined, 'a repository without a commit')
  await writeFile(join(folder, 'a'), '')
  git('add', 'a')
  git('-c', 'user.name=A', '-c', 'user.email=a@example.com', 'commit', '--quiet', '--message=a')
  const head = git('rev-parse', 'HEAD')
  if (process.getuid?.() === 0) await chown(folder, 65534, 65534)
  assert.equal(commit({ PATH }, folder), head)
  // Variables that point git to another repository have no effect.
  assert.equal(commit({ PATH, GIT_DIR: '/nowhere' }, folder), head)
  assert.equal(commit({ PATH, CASHWRAP_COMMIT: 'abc' }, folder), 'abc')

  const copy = join(folder, 'copy')
  await mkdir(copy)
  assert.equal(commit({ PATH }, copy), undefined, 'a copy inside a repository is not that repository')
  assert.equal(commit({ PATH: copy }, folder), undefined, 'a machine without git')
})
