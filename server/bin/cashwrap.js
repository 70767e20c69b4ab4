#!/usr/bin/env node
// Starts the command line on a Node that is new enough: this one, or the one that came with `npm ci`. Plain JavaScript, so that an old Node can read it.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const needed = 24
const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url))
const own = `${modules}.bin/node`

if (majorOf(process.version) >= needed) {
  // Compiled code is kept beside the packages: the next start takes half the time. Not in /tmp, where others could plant it.
  const compiled = `${modules}.cache/cashwrap`
  module.enableCompileCache?.(compiled)
  // That is for this thread alone: the thread of imports and the worker processes look here.
  process.env.NODE_COMPILE_CACHE ??= compiled
  await import('../src/main.ts')
} else if (existsSync(own) && majorOf(spawnSync(own, ['--version'], { encoding: 'utf8' }).stdout) >= needed) {
  handOver()
} else {
  // There is no package of Node for macOS in every version.
  const remedy =
    process.platform === 'linux'
      ? 'Run `npm ci` in its folder with optional dependencies, which brings one along, or install'
      : 'Install'
  console.error(
    `error: Cashwrap needs Node ${needed} or newer, and this is ${process.version}. ${remedy} Node from https://nodejs.org.`,
  )
  process.exitCode = 1
}

/** @param {string | undefined} version */
function majorOf(version) {
  return Number(/^v(\d+)\./.exec(version ?? '')?.[1] ?? 0)
}

/** Runs the same command on the Node of the checkout; its signals and its exit code pass through. */
function handOver() {
  const child = spawn(own, process.argv.slice(1), {
    stdio: 'inherit',
    env: { ...process.env, CASHWRAP_FOLLOWS_PARENT: '1' },
  })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(`error: ${own} cannot be run: ${error.message}.`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    process.exit(code ?? 128 + (constants.signals[signal ?? 'SIGKILL'] ?? 0))
  })
}
