package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
	"golang.org/x/net/html"
	"golang.org/x/net/html/charset"

	"docpin/internal/corpus"
)

// measureHTML compares a whole build of a folder of HTML with what one core needs to parse and convert the same files
// with the same libraries alone, and its peak memory with the text that it makes.
func measureHTML(docpin, dir string) error {
	out, err := os.MkdirTemp("", "docpin-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(out)
	var builds, alone, buildsCPU, aloneCPU []time.Duration
	var peak int64
	file := filepath.Join(out, "x"+corpus.Ext)
	for range 5 {
		begin := time.Now()
		cmd := exec.Command(docpin, "build", "--library", "bench", "--version", "1", "--keep-going", "--report", filepath.Join(out, "report.json"), "-o", file, dir)
		if text, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("build: %w: %s", err, text)
		}
		builds = append(builds, time.Since(begin))
		peak = max(peak, peakBytes(cmd.ProcessState))
		buildsCPU = append(buildsCPU, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
		took, cpu, err := convertAlone(dir)
		if err != nil {
			return err
		}
		alone, aloneCPU = append(alone, took), append(aloneCPU, cpu)
	}
	c, err := corpus.OpenFile(file, corpus.FileOptions{})
	if err != nil {
		return err
	}
	text := int64(0)
	for _, v := range c.Versions() {
		text += int64(v.TextBytes)
	}
	fmt.Printf("%-28s %12s %12s %7s\n", "median", "docpin", "libraries", "ratio")
	report("HTML build", [2][]time.Duration{builds, alone})
	if aloneCPU[0] > 0 { // of all cores: where others have work too, wall time says little
		report("HTML build, processor time", [2][]time.Duration{buildsCPU, aloneCPU})
	}
	if peak > 0 {
		fmt.Printf("%-28s %9d MB %9d MB %7.2f\n", "peak memory against text", peak>>20, text>>20, float64(peak)/float64(text))
	}
	return nil
}

// convertAlone parses and converts every page below dir, one after the other, and returns the time without reading, and
// the processor's.
func convertAlone(dir string) (took, processor time.Duration, err error) {
	// One core, for the collector of garbage too. What the build before left is not this one's to collect.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	runtime.GC()
	c := converter.NewConverter(converter.WithPlugins(base.NewBasePlugin(), commonmark.NewCommonmarkPlugin(), table.NewTablePlugin()))
	err = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(name, ".html") {
			return err
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		begin, used := time.Now(), processorTime()
		defer func() {
			took += time.Since(begin)
			processor += processorTime() - used
		}()
		in, err := charset.NewReader(bytes.NewReader(raw), "text/html")
		if err != nil {
			return err
		}
		doc, err := html.Parse(in)
		if err != nil {
			return err
		}
		b, err := c.ConvertNode(doc, converter.WithContext(context.Background()))
		io.Discard.Write(b)
		return err
	})
	return took, processor, err
}
