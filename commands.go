package main

import (
	"fmt"
	"os"
	"path/filepath"

	"chaperone/assets"
	"chaperone/internal/connect"
	"chaperone/internal/demo"
	"chaperone/internal/workspace"

	"github.com/spf13/cobra"
)

func root() *cobra.Command {
	cobra.MousetrapHelpText = "" // on Windows the app is started from the Explorer too
	var hidden bool
	cmd := &cobra.Command{
		Use: "chaperone", Short: assets.Say("cli.root.short"), Long: assets.Say("cli.root.long"), Args: cobra.NoArgs,
		SilenceUsage: true, SilenceErrors: true, CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
		RunE: func(cmd *cobra.Command, _ []string) error { return runApp(cmd.Context(), hidden) },
	}
	cmd.Flags().BoolVar(&hidden, "hidden", false, assets.Say("cli.hidden"))
	cmd.PersistentFlags().StringVar(&demoSite, "demo-site", "", assets.Say("cli.demo.site"))
	_ = cmd.PersistentFlags().MarkHidden("demo-site")
	cmd.AddCommand(stdioCommand(), serveCommand(), connectCommand(), doctorCommand(), versionCommand(), demoCommand())
	return cmd
}

func stdioCommand() *cobra.Command {
	var standalone bool
	cmd := &cobra.Command{
		Use: "stdio", Short: assets.Say("cli.stdio.short"), Long: assets.Say("cli.stdio.long"), Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			out := protocolOut()
			if standalone {
				return runStandalone(cmd.Context(), os.Stdin, out)
			}
			return runBridge(cmd.Context(), os.Stdin, out)
		},
	}
	cmd.Flags().BoolVar(&standalone, "standalone", false, assets.Say("cli.stdio.standalone"))
	return cmd
}

func serveCommand() *cobra.Command {
	return &cobra.Command{
		Use: "serve", Short: assets.Say("cli.serve.short"), Long: assets.Say("cli.serve.long"), Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return runServe(cmd.Context(), os.Stdin, os.Stdout) },
	}
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: assets.Say("cli.version.short"), Args: cobra.NoArgs,
		Run: func(cmd *cobra.Command, _ []string) { fmt.Fprintln(cmd.OutOrStdout(), "chaperone", version) },
	}
}

func demoCommand() *cobra.Command {
	var standalone bool
	cmd := &cobra.Command{
		Use: "demo", Short: assets.Say("cli.demo.short"), Hidden: true, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			binary, err := os.Executable()
			if err != nil {
				return err
			}
			dir, err := os.MkdirTemp("", "chaperone-demo-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			// The demo's app ends with its window.
			if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(`{"closeToTray":false}`), 0o600); err != nil {
				return err
			}
			config := demo.Config{Binary: binary, Args: []string{"stdio"}, Out: cmd.OutOrStdout(), Log: os.Stderr, Env: []string{"BROWX_WORKSPACE=" + dir}, App: true}
			if standalone || !hasWindow() {
				config.Args, config.App = append(config.Args, "--standalone"), false
				if info, err := os.Stdin.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
					config.In = os.Stdin
				}
			}
			return demo.Run(cmd.Context(), config)
		},
	}
	cmd.Flags().BoolVar(&standalone, "standalone", false, assets.Say("cli.stdio.standalone"))
	return cmd
}

func connectCommand() *cobra.Command {
	var install bool
	cmd := &cobra.Command{
		Use: "connect [client]", Short: assets.Say("cli.connect.short"), Long: assets.Say("cli.connect.long"), Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			self, err := selfOf("")
			if err != nil {
				return err
			}
			if dir, err := workspace.Locate(os.Getenv); err == nil {
				if ws, err := workspace.Open(dir); err == nil {
					if e, err := ws.Endpoint(); err == nil {
						self.URL = e.HTTP
					}
				}
			}
			if len(args) == 0 {
				for _, p := range connect.Programs() {
					fmt.Fprintf(out, "%-16s %s\n%s\n\n", p.ID, p.Hint, p.Snippet(self))
				}
				fmt.Fprintln(out, assets.Say("cli.connect.more"))
				return nil
			}
			p, err := connect.Find(args[0])
			if err != nil {
				return err
			}
			if !install {
				fmt.Fprintln(out, p.Snippet(self))
				return nil
			}
			home, err := workspace.Home(os.Getenv)
			if err != nil {
				return err
			}
			change, err := p.Preview(home, self)
			if err != nil {
				return err
			}
			if err := connect.Apply(change); err != nil {
				return err
			}
			fmt.Fprintln(out, assets.Say("cli.connect.added", change.File))
			if change.Backup != "" {
				fmt.Fprintln(out, assets.Say("cli.connect.backup", change.Backup))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&install, "install", false, assets.Say("cli.connect.install"))
	return cmd
}

// selfOf is how clients start this program: by its absolute path, without a shell.
func selfOf(url string) (connect.Self, error) {
	binary, err := os.Executable()
	if err != nil {
		return connect.Self{}, fmt.Errorf("this program's own path is not known: %w", err)
	}
	if real, err := filepath.EvalSymlinks(binary); err == nil {
		binary = real
	}
	return connect.Self{Binary: binary, Args: []string{"stdio"}, URL: url}, nil
}
