/* Remembers what a power cut would leave: after each fsync or fdatasync the file is copied to a folder, by its inode.

   Loaded with LD_PRELOAD; COGMEM_SHADOW names the folder. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void keep(int fd) {
    const char *folder = getenv("COGMEM_SHADOW");
    struct stat status;
    if (folder == NULL || fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return;
    char from[64], draft[512], final[512], block[65536];
    snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
    snprintf(final, sizeof final, "%s/%lu", folder, (unsigned long)status.st_ino);
    snprintf(draft, sizeof draft, "%s.%ld", final, (long)syscall(SYS_gettid));
    int source = open(from, O_RDONLY), target = open(draft, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ssize_t length;
    while (source >= 0 && target >= 0 && (length = read(source, block, sizeof block)) > 0)
        if (write(target, block, (size_t)length) != length) break;
    if (source >= 0) close(source);
    if (target >= 0) close(target);
    rename(draft, final);
}

int fsync(int fd) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    int result = real(fd);
    if (result == 0) keep(fd);
    return result;
}

int fdatasync(int fd) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    int result = real(fd);
    if (result == 0) keep(fd);
    return result;
}
