import { gunzipSync } from 'node:zlib';

// Files of SPREAD, BANANA and COLA of `foods.ts`, written by earlier versions.

/** Format version 1. */
export const segmentOfBefore = () =>
  unpack(
    'H4sIAAAAAAACA/NxDHJxDQp2Z2SAAH8g9nLoLa41nLGP6YS4R2JVak5eaYmCUnJ+cn6ikkJxQVFqYgqrX2lJSaU+yw3Fn8wrhX8qz1S+wcRoUM' +
      'FrqFCSVFygoGFoqpCuyfAxOJURiO1B5jqxJSXmAeEJbicwraNQlFjOz3CC9RVbF9OjPkZGCY4N7AKGCrmpKZmluUATDC2QjNAHmpDn2LawjbHH' +
      'UubOfaYTLM75OYkQV/AzXGBiYLjIxsicMHnJWkaYlmql/KLM9Mw8JSul/LQ0JR2lzNyC/KKS1BTHEiUrQ3NzM3MjSzMDAx2l4vzSouTUYiWraK' +
      'WS1OISpVgdpbT8/BSggLGOUnZefnleQFF+SmlyCVDEoBYcSArZDuFAautEhW8+0PADAACwcrFIAQAA',
  );

/** Format version 3. */
export const catalogueOfBefore = () =>
  unpack(
    'H4sIAAAAAAACA71WS2wbRRietR23uKQNFFEORRiXR4Go3ZnZnZktCKUPpAIFSpuqoiGC9XrjmNi7ZndNmqJKHFAPPCokEI9jpQoJJAQSB24cUZ' +
      'A4wAGpByQkjtw49sY/63W6GTveTVJ1rM8zO69v/ufMqaNnTjx35vhsESEkHjv8NZLl4E8zcY2uzxycROjcb/5naIPiHb1y7Yr2kbX/r78Lq6Xj' +
      'ftueeLkXRSt70O8FhP4oa8U3P73+nYb+O+tqAISOleu2B7/VXcfieroa2Mt70OrEv+UPCv9c1bQHdv6wYwpXO26j1etUD2Isqs0n1ta/MPNxeB' +
      'l/+XNhdd9J+5Lb9npRteb4jm/XqmE3cO1Gn/9w6cbDN4vf7L154KsDNwqafnESV6N62IUNzfR+stwN2I+2XorbWDs9d/4NWV/98Ytv5Tle+fDP' +
      'zzd7lsI2+A94F+qyfvT7X5a3ooM6spGXwEF+jH6rDfUi4BJyoe2hHoqS/witoABGllGIutByod3YhgxlwC7AHsC+xJYPSZnyrAVPr7wH+ASh2q' +
      't6Cc3ohQJ6HxE0mYt7VdOk/qdKCOmrfUNMTcj+oib9YkpLzifHx/nPQIbNFi1l/3StbcIvBnOL/XPGZ9kB2LlFfm2bPrm58mvm6LgZU9q9d+yk' +
      'mqLr4jZzx+3StTyD9NlK4oO7AfcA9gLuA9yfxNWDCaoybwAeSWLscXllAJ4EPAU4BDgMwAACMAAMwAFHAE8DngE8CziRwknA8wleBJwCvAQ4DZ' +
      'gFnAOcT/Aa4AJgDvB6nIcQZB2EFgBNwCLgLUAb0JH3FKALeBsQAEJABHhnm7orJZhI2TWdlwup+C6m2kj5Lqf8Q50/kZqT7i8pfpA+T1k5W1FB' +
      'SeHRUmcvKDzFMbxqDhslF9rA18tKzikr8o9ap42Io3JqjqrDwXdJ2T+ts6Iyb2ILflBIyXBXgkrytphMYbeCqdsQ/6UR50CKv2gb+MC7lWqt5S' +
      '34tSNVaMJTCp5Qkds4GkEH5pxxYjFdlmk5uuD7jRBGaPy15PnL3unAb/ScSPb25/hBq9nywmRDWNNwBu1bG+Dp/vfQFrL7cjxYCyM7iNxga4v9' +
      'hYXNLqwki2uh2+y4XjwyJ0eSXTy740JXzW83DiVTasmGfZnjQeBNOludrh8M6zIZDf1e4LhrHNATuWFUi9vz0+vPTTc6d9JfX4ninSgRA0nmK7' +
      'EwIIsTtXxvwNM3yUCSwHX8ABj6KltqeQ3Z2xO1NR2Grjw8M/odbddrRotSGov0e5zAoQQ6iIkNi1OdWAMtrmfqtm0prEIESxUmYjKVSmGyMBcG' +
      '4xYeTdQC20i/ycFFia5wCUUoXWcGpobBN+QCHwhaeQSjQtUhMdazYVPoRBBsstFszajl5ZbNMMR42ajBTa5zwY0xbLmlMwdWumU2pkgnBNM5p3' +
      'wDu4WuHTiLhyDeO7PuxUilxGyIkquewhWFEmEJoNU5zaQ8m1OtXFetSBX3pNTihkUFzSY95UZQ5WFlqjGJ6qlU6Lqpm5SMZc1tT0FVexqKcg0Z' +
      'GpZhmSKTcSWvdoXFMryIQMxiziw63ou6fgju28xBCQk5w6BECEgAmJpmHsq8omKdZHkSMYWwLGzx8TZddO1GLkKR5UQUE93QLUOMl7Te9p2lkz' +
      'lZsTnkSOtJTVNghpk1Xsh6K+rY3TO218zjvZhg1ZH09ax6DrY7QQQ3/mm/22vbQStayc55I/iYoRqREgZZdnxYhot2182+9zERQ+GhpHVGLfAa' +
      'a3w8ys9jPWfJzRUa1FBDg6npzjQtxgRkvEzaE77T6z/msokNTjIeH4QTamKTZ1wpDbftyldXfplNqhqWMH3oBjXgwtYzct+AexZumDzMYujFta' +
      'aGNakNLghjOh3vVHC3NAO7k1toQofuNdXQmBMOjz2dszzMOUUmhpUZRVSaGXJhJX5Nz1cu/w8ywle6KBcAAA==',
  );

function unpack(text: string): Buffer {
  return gunzipSync(Buffer.from(text, 'base64'));
}
