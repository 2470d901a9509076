//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One pool of threads for the process. Its state needs no constructor and no
// destructor: compiled code may run before and after main.

#include "FlushSubnormals.h"
#include "Landing.h"
#include "fpa/Runtime/Runtime.h"

#include <atomic>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

namespace {
constexpr int32_t maxThreads = FPA_MAX_THREADS;
constexpr size_t workerStackBytes = size_t(8) << 20;

struct Job {
  void (*fn)(int64_t, void *);
  void *ctx;
  int64_t count;
  std::atomic<int64_t> next;
  /// Whether the caller can go on after a failure.
  bool isGuarded;
  /// How many indices failed, and why the first of them did.
  std::atomic<int32_t> failures;
  fpa_failure failure;
};

struct Pool {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  /// Workers wait for `wake`, the caller of a job for `idle`.
  pthread_cond_t wake = PTHREAD_COND_INITIALIZER;
  pthread_cond_t idle = PTHREAD_COND_INITIALIZER;
  /// The job in progress. Its memory belongs to the caller, who leaves only
  /// after `places` is 0 and `running` is 0.
  Job *job = nullptr;
  /// How many workers may still join the job, and how many are in it.
  int32_t places = 0;
  int32_t running = 0;
  /// Threads started so far.
  int32_t workers = 0;
  bool forkHandlerSet = false;
};

Pool pool;
std::atomic<int32_t> requestedThreads{0};
__thread bool insideJob = false;

int32_t defaultThreads() {
  if (const char *text = getenv("FPA_NUM_THREADS"); text && *text) {
    char *end = nullptr;
    errno = 0;
    long value = strtol(text, &end, 10);
    if (errno == 0 && *end == '\0' && value >= 1)
      return value < maxThreads ? int32_t(value) : maxThreads;
    fprintf(stderr,
            "fpa: warning: FPA_NUM_THREADS: expected a positive integer, got "
            "'%s'\n",
            text);
  }
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0)
    return CPU_COUNT(&set);
#endif
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online < 1 ? 1 : online < maxThreads ? int32_t(online) : maxThreads;
}

void takeIndicesOf(void *context) {
  Job &job = *static_cast<Job *>(context);
  for (;;) {
    int64_t index = job.next.fetch_add(1, std::memory_order_relaxed);
    if (index >= job.count)
      return;
    job.fn(index, job.ctx);
  }
}

void takeIndices(Job &job) {
  fpa_runtime::FlushSubnormals flush;
  if (!job.isGuarded)
    return takeIndicesOf(&job);
  fpa_failure failure;
  if (fpa_call(takeIndicesOf, &job, &failure)) {
    if (job.failures.fetch_add(1) == 0)
      job.failure = failure;
    job.next = job.count;
  }
}

void *workerMain(void *) {
  insideJob = true;
  pthread_mutex_lock(&pool.mutex);
  for (;;) {
    while (!pool.job || pool.places == 0)
      pthread_cond_wait(&pool.wake, &pool.mutex);
    --pool.places;
    ++pool.running;
    Job *job = pool.job;
    pthread_mutex_unlock(&pool.mutex);
    takeIndices(*job);
    pthread_mutex_lock(&pool.mutex);
    // Nothing is left to take, so nobody else needs to join.
    pool.places = 0;
    if (--pool.running == 0)
      pthread_cond_signal(&pool.idle);
  }
  return nullptr;
}

/// A forked child has the calling thread only.
void resetAfterFork() {
  pool.mutex = PTHREAD_MUTEX_INITIALIZER;
  pool.wake = PTHREAD_COND_INITIALIZER;
  pool.idle = PTHREAD_COND_INITIALIZER;
  pool.job = nullptr;
  pool.places = pool.running = pool.workers = 0;
}

/// Starts threads until `wanted` run; with fewer, the others do their work.
void startWorkers(int32_t wanted) {
  if (!pool.forkHandlerSet) {
    pool.forkHandlerSet = true;
    pthread_atfork(nullptr, nullptr, resetAfterFork);
  }
  if (pool.workers >= wanted)
    return;
  // Signals belong to the program's own threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, workerStackBytes);
  while (pool.workers < wanted) {
    pthread_t thread;
    if (pthread_create(&thread, &attributes, workerMain, nullptr) != 0)
      break;
    ++pool.workers;
  }
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

/// Makes `job` the pool's job; false when the pool is taken.
bool openJob(Job &job, int32_t threads) {
  pthread_mutex_lock(&pool.mutex);
  bool free = pool.job == nullptr;
  if (free) {
    int32_t helpers =
        job.count < threads ? int32_t(job.count) - 1 : threads - 1;
    startWorkers(helpers);
    pool.job = &job;
    pool.places = helpers;
    pthread_cond_broadcast(&pool.wake);
  }
  pthread_mutex_unlock(&pool.mutex);
  return free;
}

void closeJob() {
  pthread_mutex_lock(&pool.mutex);
  pool.places = 0;
  while (pool.running != 0)
    pthread_cond_wait(&pool.idle, &pool.mutex);
  pool.job = nullptr;
  pthread_mutex_unlock(&pool.mutex);
}
} // namespace

extern "C" {

void fpa_set_num_threads(int32_t threads) {
  requestedThreads = threads <= 0           ? 0
                     : threads < maxThreads ? threads
                                            : maxThreads;
}

int32_t fpa_get_num_threads(void) {
  int32_t threads = requestedThreads.load(std::memory_order_relaxed);
  if (threads > 0)
    return threads;
  threads = defaultThreads();
  requestedThreads = threads;
  return threads;
}

void fpa_parallel_for(int64_t count, void (*fn)(int64_t, void *), void *ctx) {
  if (count <= 0)
    return;
  Job job{fn, ctx, count, {0}, fpa_runtime::landing != nullptr, {0}, {}};
  int32_t threads = insideJob || count == 1 ? 1 : fpa_get_num_threads();
  if (threads == 1 || !openJob(job, threads)) {
    takeIndices(job);
  } else {
    insideJob = true;
    takeIndices(job);
    insideJob = false;
    closeJob();
  }
  if (job.failures)
    fpa_runtime::fail(job.failure);
}

} // extern "C"
