-- Script of wrk: repeats one request, each time with a fresh number or the next id in its marks, and prints the outcome as JSON.
-- Arguments: file of the request as it goes over the wire, file of ids (or -), each with an API key after a space if the request has a mark for it, number to begin with.
local pieces, slots, ids, keys = {}, {}, {}, {}
local number = 0

-- The same syllables as in sample.ts.
local function syllable(tens, ones)
  local at = tonumber(tens) * 10 + tonumber(ones)
  local consonant, vowel = math.floor(at / 5) + 1, at % 5 + 1
  return ("bcdfghjklmnpqrstvwxz"):sub(consonant, consonant) .. ("aeiou"):sub(vowel, vowel)
end

local fill = {
  ["@NUMBER@"] = function() return string.format("%08d", number % 100000000) end,
  ["@A-NAME@"] = function()
    return (string.format("%08d", number % 100000000 * 61803399 % 100000000):gsub("(%d)(%d)", syllable))
  end,
  ["@IDENTIFIER-OF-A-RECORD@"] = function() return ids[number % #ids + 1] end,
  ["@NEAR-A-HUNDRED@"] = function() return 76 + number % 50 end,
  ["@API-KEY@"] = function() return keys[number % #ids + 1] end,
}

local function split(text, from)
  local at, to, mark = text:find("(@[A-Z%-]+@)", from)
  if not at then
    pieces[#pieces + 1] = text:sub(from)
    return
  end
  pieces[#pieces + 1] = text:sub(from, at - 1)
  pieces[#pieces + 1] = mark
  slots[#slots + 1] = { #pieces, fill[mark] }
  split(text, to + 1)
end

function init(arguments)
  local file = assert(io.open(arguments[1], "rb"))
  split(file:read("*a"), 1)
  file:close()
  if arguments[2] ~= "-" then
    for line in io.lines(arguments[2]) do
      ids[#ids + 1], keys[#ids + 1] = line:match("^(%S+) ?(%S*)$")
    end
  end
  number = tonumber(arguments[3])
end

function request()
  number = number + 1
  for _, slot in ipairs(slots) do
    pieces[slot[1]] = slot[2]()
  end
  return table.concat(pieces)
end

function done(summary, latency)
  local errors = summary.errors
  local lost = errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format(
    '\n{"requests":%d,"seconds":%f,"refused":%d,"lost":%d,"p50":%f,"p99":%f}\n',
    summary.requests, summary.duration / 1e6, errors.status, lost,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
